import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

const labels = Type.Record(Type.String(), Type.String({ maxLength: 256 }), {
  description: 'What `workerSelector` is compared with, by name',
});

/** A process on any machine that takes work from a coordinator. */
export const WorkerView = Type.Object({
  id: Type.String(),
  labels,
  totalPollers: Type.Integer({ description: 'Slots: steps it runs at once at most' }),
  busyPollers: Type.Integer({ description: 'Slots that are taken' }),
  runningTasks: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Of the workflow' }),
      dagRunId: Type.String(),
      step: Type.String(),
      startedAt: Timestamp,
    }),
  ),
  lastHeartbeatAt: Timestamp,
  healthStatus: literals(['healthy', 'warning', 'unhealthy'], {
    description:
      '`warning`: its last sign of life is overdue. `unhealthy`: its lease has ended; what it had is lost',
  }),
  state: literals(['active', 'draining', 'gone'], {
    description: '`draining`: it gets nothing new, and ends once it has nothing left',
  }),
  hostname: Type.String(),
  pid: Type.Integer(),
  version: Type.String({ description: 'Of its release' }),
  registeredAt: Timestamp,
  load: Type.Optional(Type.Number({ description: 'Of its machine, in cores' })),
  freeBytes: Type.Optional(Type.Integer({ description: 'Of memory, on its machine' })),
});
export type WorkerView = Static<typeof WorkerView>;

/** A service that workers talk to. */
export const CoordinatorView = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'Where workers reach it' }),
  hostname: Type.String(),
  pid: Type.Integer(),
  version: Type.String({ description: 'Of its release' }),
  startedAt: Timestamp,
  lastHeartbeatAt: Timestamp,
  status: literals(['active', 'gone']),
  workers: Type.Integer({ description: 'Workers it was connected to at its last sign of life' }),
});
export type CoordinatorView = Static<typeof CoordinatorView>;

/** A token by which workers join that have no certificate; without its secret, which nobody can show again. */
export const JoinTokenView = Type.Object({
  id: Type.String(),
  note: Type.String(),
  labels: Type.Record(Type.String(), Type.String(), {
    description: 'Labels that every worker has that joins by it, whatever it says itself',
  }),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
});
export type JoinTokenView = Static<typeof JoinTokenView>;

const workerId = Type.String({ minLength: 1, maxLength: 200, description: 'Id of the worker' });

export const workerOperations = {
  'workers.list': defineOperation({
    summary: 'Lists the workers of coordinators, and what they are doing',
    method: 'GET',
    path: '/workers',
    input: Type.Object({}),
    output: Type.Object({
      workers: Type.Array(WorkerView),
      tasks: Type.Object({
        ready: Type.Integer({ description: 'Attempts of steps that wait for a worker' }),
        claimed: Type.Integer({ description: 'Handed to a worker that has not confirmed it yet' }),
        running: Type.Integer(),
        staleRefused: Type.Integer({
          description: 'Results that came from workers that had lost the step, and were refused; ever since',
        }),
      }),
      errors: Type.Array(Type.String(), { description: 'What keeps workers from work, a sentence each' }),
    }),
    errors: ['unavailable'],
    role: 'viewer',
  }),
  'workers.drain': defineOperation({
    summary: 'Gives a worker nothing new; what it runs goes on',
    method: 'POST',
    path: '/workers/{workerId}/drain',
    input: Type.Object({ workerId }),
    output: WorkerView,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
  }),
  'workers.resume': defineOperation({
    summary: 'Lets a worker that drains have work again',
    method: 'POST',
    path: '/workers/{workerId}/resume',
    input: Type.Object({ workerId }),
    output: WorkerView,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
  }),
  'workers.remove': defineOperation({
    summary: 'Forgets a worker, its credential included; steps that it still runs are lost',
    method: 'DELETE',
    path: '/workers/{workerId}',
    input: Type.Object({ workerId }),
    output: WorkerView,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
  }),
  'workers.coordinators': defineOperation({
    summary: 'Lists the coordinators that workers talk to',
    method: 'GET',
    path: '/coordinators',
    input: Type.Object({}),
    output: Type.Object({ coordinators: Type.Array(CoordinatorView) }),
    errors: ['unavailable'],
    role: 'viewer',
  }),
  'workers.listTokens': defineOperation({
    summary: 'Lists the tokens by which workers may join',
    method: 'GET',
    path: '/join-tokens',
    input: Type.Object({}),
    output: Type.Object({ tokens: Type.Array(JoinTokenView) }),
    errors: ['unavailable'],
    role: 'admin',
  }),
  'workers.createToken': defineOperation({
    summary: 'Makes a token by which workers may join; its secret is in this one answer only',
    method: 'POST',
    path: '/join-tokens',
    status: 201,
    input: Type.Object({
      note: Type.Optional(Type.String({ maxLength: 200, description: 'What it is for' })),
      labels: Type.Optional(labels),
      expiresInDays: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3650, description: 'For ever when absent' }),
      ),
    }),
    output: Type.Object({
      token: JoinTokenView,
      secret: Type.String({ description: '`swj_…`, for `engine worker --token`' }),
    }),
    errors: ['unavailable'],
    role: 'admin',
  }),
  'workers.deleteToken': defineOperation({
    summary: 'Ends a token: nobody joins by it any more; workers that have joined stay',
    method: 'DELETE',
    path: '/join-tokens/{tokenId}',
    input: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) }),
    output: JoinTokenView,
    errors: ['not_found', 'unavailable'],
    role: 'admin',
  }),
};
