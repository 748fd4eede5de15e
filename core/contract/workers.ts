import Type, { type Static } from 'typebox';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

const labels = Type.Record(Type.String(), Type.String({ maxLength: 256 }), {
  description: 'Labels to match with `workerSelector`, by name',
});

/** A process on any machine that takes tasks from a coordinator. */
export const WorkerView = Type.Object({
  id: Type.String(),
  labels,
  totalPollers: Type.Integer({ description: 'Number of slots (maximum parallel steps)' }),
  busyPollers: Type.Integer({ description: 'Number of used slots' }),
  runningTasks: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Workflow name' }),
      dagRunId: Type.String(),
      step: Type.String(),
      startedAt: Timestamp,
    }),
  ),
  lastHeartbeatAt: Timestamp,
  healthStatus: literals(['healthy', 'warning', 'unhealthy'], {
    description: '`warning`: heartbeat overdue. `unhealthy`: lease expired, its steps are lost',
  }),
  state: literals(['active', 'draining', 'gone'], {
    description: '`draining`: accepts no new steps and exits when idle',
  }),
  hostname: Type.String(),
  pid: Type.Integer(),
  version: Type.String({ description: 'Release version' }),
  registeredAt: Timestamp,
  load: Type.Optional(Type.Number({ description: 'CPU cores of the machine' })),
  freeBytes: Type.Optional(Type.Integer({ description: 'Memory of the machine in bytes' })),
});
export type WorkerView = Static<typeof WorkerView>;

/** A service that workers connect to. */
export const CoordinatorView = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'URL for workers' }),
  hostname: Type.String(),
  pid: Type.Integer(),
  version: Type.String({ description: 'Release version' }),
  startedAt: Timestamp,
  lastHeartbeatAt: Timestamp,
  status: literals(['active', 'gone']),
  workers: Type.Integer({ description: 'Number of connected workers at the last heartbeat' }),
});
export type CoordinatorView = Static<typeof CoordinatorView>;

/** A token for workers without a certificate, without its secret, which cannot be shown again. */
export const JoinTokenView = Type.Object({
  id: Type.String(),
  note: Type.String(),
  labels: Type.Record(Type.String(), Type.String(), {
    description:
      'Labels for all workers that join with this token. These override the labels set by the worker.',
  }),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
});
export type JoinTokenView = Static<typeof JoinTokenView>;

const workerId = Type.String({ minLength: 1, maxLength: 200, description: 'Worker ID' });

export const workerOperations = {
  'workers.list': defineOperation({
    summary: 'List workers and their running steps',
    method: 'GET',
    path: '/workers',
    input: Type.Object({}),
    output: Type.Object({
      workers: Type.Array(WorkerView),
      tasks: Type.Object({
        ready: Type.Integer({ description: 'Number of step attempts waiting for a worker' }),
        claimed: Type.Integer({ description: 'Number of steps assigned to a worker but not yet confirmed' }),
        running: Type.Integer(),
        staleRefused: Type.Integer({
          description: 'Total number of results rejected because the worker had lost the step',
        }),
      }),
      errors: Type.Array(Type.String(), {
        description: 'Problems that prevent workers from running steps, one sentence each',
      }),
    }),
    errors: ['unavailable'],
    role: 'viewer',
  }),
  'workers.drain': defineOperation({
    summary: 'Drain a worker (running steps continue, no new steps)',
    method: 'POST',
    path: '/workers/{workerId}/drain',
    input: Type.Object({ workerId }),
    output: WorkerView,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'drain a worker',
    audit: 'worker',
  }),
  'workers.resume': defineOperation({
    summary: 'Resume a drained worker',
    method: 'POST',
    path: '/workers/{workerId}/resume',
    input: Type.Object({ workerId }),
    output: WorkerView,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'resume a worker',
    audit: 'worker',
  }),
  'workers.remove': defineOperation({
    summary: 'Remove a worker and its credential (running steps are lost)',
    method: 'DELETE',
    path: '/workers/{workerId}',
    input: Type.Object({ workerId }),
    output: WorkerView,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'remove a worker',
    audit: 'worker',
  }),
  'workers.coordinators': defineOperation({
    summary: 'List coordinators',
    method: 'GET',
    path: '/coordinators',
    input: Type.Object({}),
    output: Type.Object({ coordinators: Type.Array(CoordinatorView) }),
    errors: ['unavailable'],
    role: 'viewer',
  }),
  'workers.listTokens': defineOperation({
    summary: 'List join tokens for workers',
    method: 'GET',
    path: '/join-tokens',
    input: Type.Object({}),
    output: Type.Object({ tokens: Type.Array(JoinTokenView) }),
    errors: ['unavailable'],
    role: 'admin',
    label: 'see join tokens for workers',
  }),
  'workers.createToken': defineOperation({
    summary: 'Create a join token for workers (the secret is returned only once)',
    method: 'POST',
    path: '/join-tokens',
    status: 201,
    input: Type.Object({
      note: Type.Optional(Type.String({ maxLength: 200, description: 'Purpose of the token' })),
      labels: Type.Optional(labels),
      expiresInDays: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3650, description: 'Default: never expires' }),
      ),
    }),
    output: Type.Object({
      token: JoinTokenView,
      secret: Type.String({ description: '`swj_…`, for `engine worker --token`' }),
    }),
    errors: ['unavailable'],
    role: 'admin',
    label: 'create a join token for workers',
    audit: 'worker',
  }),
  'workers.deleteToken': defineOperation({
    summary: 'Revoke a join token (joined workers are not affected)',
    method: 'DELETE',
    path: '/join-tokens/{tokenId}',
    input: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) }),
    output: JoinTokenView,
    errors: ['not_found', 'unavailable'],
    role: 'admin',
    label: 'revoke a join token for workers',
    audit: 'worker',
  }),
};
