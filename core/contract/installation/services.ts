import Type, { type Static } from 'typebox';
import { hostKinds } from '../../model/host.ts';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

/** A process that drives runs of this home, or has lately. */
export const HostView = Type.Object({
  hostId: Type.String(),
  kind: literals(hostKinds),
  hostname: Type.String(),
  pid: Type.Integer(),
  /** When it first drove a run. */
  startedAt: Timestamp,
  lastSeenAt: Timestamp,
  status: literals(['active', 'gone'], {
    description: '`gone`: certainly, so that others take its runs over',
  }),
  /** Why it is certainly gone, in words that follow its name. */
  reason: Type.Optional(Type.String()),
  activeRuns: Type.Integer({ description: 'Runs it drives, sub-runs included' }),
});
export type HostView = Static<typeof HostView>;

export const serviceOperations = {
  'services.hosts': defineOperation({
    summary: 'Lists the processes that drive runs of this home',
    method: 'GET',
    path: '/services/hosts',
    input: Type.Object({}),
    output: Type.Object({ hosts: Type.Array(HostView) }),
    errors: [],
    role: 'viewer',
  }),
};
