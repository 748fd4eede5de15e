import Type, { type Static } from 'typebox';
import { hostKinds } from '../model/host.ts';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

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

/** A process on any machine that takes work from a coordinator (peer 5). */
const WorkerView = Type.Object({
  id: Type.String(),
  labels: Type.Record(Type.String(), Type.String()),
  totalPollers: Type.Integer(),
  busyPollers: Type.Integer(),
  runningTasks: Type.Array(
    Type.Object({ name: Type.String(), dagRunId: Type.String(), startedAt: Timestamp }),
  ),
  lastHeartbeatAt: Timestamp,
  healthStatus: literals(['healthy', 'warning', 'unhealthy']),
});

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
  'workers.list': defineOperation({
    summary: 'Lists the workers of coordinators; a home without a coordinator has none',
    method: 'GET',
    path: '/workers',
    input: Type.Object({}),
    output: Type.Object({
      workers: Type.Array(WorkerView),
      errors: Type.Array(Type.String(), { description: 'Coordinators that did not answer, one line each' }),
    }),
    errors: [],
    role: 'viewer',
  }),
};
