import Type, { type Static } from 'typebox';
import { hostKinds } from '../../model/host.ts';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

/** A process that runs workflows of this home, or did recently. */
export const HostView = Type.Object({
  hostId: Type.String(),
  kind: literals(hostKinds),
  hostname: Type.String(),
  pid: Type.Integer(),
  /** When it first executed a run. */
  startedAt: Timestamp,
  lastSeenAt: Timestamp,
  status: literals(['active', 'gone'], {
    description: '`gone`: known to have ended, so other hosts take over its runs',
  }),
  /** Why it has certainly ended, to follow its name. */
  reason: Type.Optional(Type.String()),
  activeRuns: Type.Integer({ description: 'Number of active runs of the host, including sub-runs' }),
});
export type HostView = Static<typeof HostView>;

export const serviceOperations = {
  'services.hosts': defineOperation({
    summary: 'List the processes that run workflows of this home',
    method: 'GET',
    path: '/services/hosts',
    input: Type.Object({}),
    output: Type.Object({ hosts: Type.Array(HostView) }),
    errors: [],
    role: 'viewer',
  }),
};
