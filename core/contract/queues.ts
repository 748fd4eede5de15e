import Type, { type Static } from 'typebox';
import { maxMoved, priorities, queueStates } from '../model/queue.ts';
import { FileName, SourceFileName } from './dags.ts';
import { defineOperation } from './operation.ts';
import {
  BaseText,
  DagName,
  DefaultWorkingDir,
  StoredReasonView,
  literals,
  RunId,
  RunRefView,
  RunSummaryView,
  Timestamp,
} from './run-views.ts';

export const QueueName = Type.String({ minLength: 1, maxLength: 255, description: 'Queue name' });

/** How a run waits in a queue, common to all requests. */
const queueOptions = {
  /** Overrides the queue of the workflow, which is by default the queue with its name. */
  queue: Type.Optional(QueueName),
  /** Higher priorities start first, equal ones in order of arrival. Default: 0. */
  priority: Type.Optional(Type.Integer({ minimum: priorities.min, maximum: priorities.max })),
  /** Rejects the request while any run of the same name is active or queued. */
  singleton: Type.Optional(Type.Boolean()),
  defaultWorkingDir: Type.Optional(DefaultWorkingDir),
};

/** The current state of a queue. */
export const QueueView = Type.Object({
  name: Type.String(),
  /** `global`: its limit is in the configuration; `dag-based`: its limit is `maxActiveRuns` of the next workflow. */
  type: literals(['global', 'dag-based']),
  /** `paused` starts no runs, `draining` accepts no new ones. */
  state: literals(queueStates),
  /** By whom the queue was paused or drained. */
  changedBy: Type.Optional(Type.String()),
  /** Maximum number of active runs; absent if there is no limit, and while no queued run specifies one. */
  maxConcurrency: Type.Optional(Type.Integer()),
  /** Last stored reason why the next run waits; absent if it does not wait. */
  hold: Type.Optional(StoredReasonView),
  /** Includes runs that started without waiting, and runs that a host is about to start. */
  runningCount: Type.Integer(),
  queuedCount: Type.Integer(),
  /** The first hundred, oldest first. */
  running: Type.Array(RunSummaryView),
  /** The first hundred, in starting order. */
  queued: Type.Array(RunSummaryView),
});
export type QueueView = Static<typeof QueueView>;

/** Position of a run in its queue. */
export const QueueItemView = Type.Object({
  run: RunSummaryView,
  priority: Type.Integer(),
  enqueuedAt: Timestamp,
  /** When a host claimed it to start it. */
  claimedAt: Type.Optional(Timestamp),
});
export type QueueItemView = Static<typeof QueueItemView>;

const change = (summary: string, verb: string) =>
  defineOperation({
    summary,
    method: 'POST',
    path: `/queues/{queue}/${verb}`,
    input: Type.Object({ queue: QueueName }),
    output: QueueView,
    errors: ['not_found', 'home_unusable'],
    role: 'operator',
    label: `${verb} a queue`,
    audit: 'queue',
  });

export const queueOperations = {
  'dags.enqueue': defineOperation({
    summary: 'Add a run of a workflow to its queue',
    method: 'POST',
    path: '/dags/{fileName}/enqueue',
    input: Type.Object({
      fileName: FileName,
      /** As after `--` on the command line. */
      params: Type.Optional(Type.String()),
      dagRunId: Type.Optional(RunId),
      /** Overrides the name of the run. */
      dagName: Type.Optional(DagName),
      ...queueOptions,
    }),
    output: RunRefView,
    errors: ['not_found', 'invalid_spec', 'already_exists', 'still_running', 'queue_closed'],
    role: 'operator',
    label: 'queue a run of a workflow',
    audit: 'resource',
  }),
  'runs.enqueue': defineOperation({
    summary: 'Add a run of an unsaved workflow to a queue',
    method: 'POST',
    path: '/dag-runs/enqueue',
    input: Type.Object({
      spec: Type.String(),
      base: Type.Optional(BaseText),
      name: Type.Optional(DagName),
      params: Type.Optional(Type.String()),
      dagRunId: Type.Optional(RunId),
      fileName: SourceFileName,
      ...queueOptions,
    }),
    output: RunRefView,
    errors: ['not_found', 'invalid_spec', 'already_exists', 'still_running', 'queue_closed'],
    role: 'operator',
    label: 'queue a run of an unsaved workflow',
    audit: 'resource',
  }),
  'runs.dequeue': defineOperation({
    summary: 'Remove a run from its queue and mark it as aborted',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/dequeue',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: RunRefView,
    errors: ['not_found', 'not_queued'],
    role: 'operator',
    label: 'remove a run from its queue',
    audit: 'resource',
  }),
  'queues.list': defineOperation({
    summary: 'List queues with active and queued runs',
    method: 'GET',
    path: '/queues',
    input: Type.Object({}),
    output: Type.Object({
      queues: Type.Array(QueueView),
      summary: Type.Object({
        totalQueues: Type.Integer(),
        totalRunning: Type.Integer(),
        totalQueued: Type.Integer(),
        /** Total of the queues with a limit; also for the next field. */
        totalCapacity: Type.Integer(),
        utilizationPercentage: Type.Number(),
      }),
      /** Whether a running host processes the queues. */
      processed: Type.Boolean(),
    }),
    errors: [],
    role: 'viewer',
  }),
  'queues.items': defineOperation({
    summary: 'List the runs of a queue in start order',
    method: 'GET',
    path: '/queues/{queue}/items',
    input: Type.Object({
      queue: QueueName,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ items: Type.Array(QueueItemView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'viewer',
  }),
  'queues.dequeue': defineOperation({
    summary: 'Remove the oldest run from a queue and mark it as aborted',
    method: 'POST',
    path: '/queues/{queue}/dequeue',
    input: Type.Object({ queue: QueueName }),
    output: RunRefView,
    errors: ['not_found'],
    role: 'operator',
    label: 'remove a run from a queue',
    audit: 'queue',
  }),
  'queues.clear': defineOperation({
    summary: 'Remove all queued runs from a queue and mark them as aborted (active runs continue)',
    method: 'POST',
    path: '/queues/{queue}/clear',
    input: Type.Object({ queue: QueueName }),
    output: Type.Object({ dequeued: Type.Integer({ description: 'Number of removed runs' }) }),
    errors: ['not_found'],
    role: 'operator',
    label: 'clear a queue',
    audit: 'queue',
  }),
  'queues.move': defineOperation({
    summary: 'Move a run within its queue and adjust its priority',
    method: 'POST',
    path: '/queues/{queue}/move',
    input: Type.Object({
      queue: QueueName,
      name: DagName,
      dagRunId: RunId,
      position: Type.Integer({
        minimum: 1,
        maximum: maxMoved,
        description: 'New position in the queue, from 1',
      }),
    }),
    output: QueueItemView,
    errors: ['not_found', 'not_queued'],
    role: 'operator',
    label: 'change the order of a queue',
    audit: 'queue',
  }),
  'queues.setLimit': defineOperation({
    summary:
      'Set or remove the limit of a queue in the configuration file (`queues.config`); other hosts apply it after a restart',
    method: 'PUT',
    path: '/queues/{queue}/limit',
    input: Type.Object({
      queue: QueueName,
      maxConcurrency: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
        description:
          'Maximum number of active runs; `null`: the limits of the workflows apply (`maxActiveRuns`)',
      }),
    }),
    output: QueueView,
    errors: ['conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'set the limit of a queue',
    audit: 'queue',
  }),
  'queues.pause': change('Pause a queue (active runs continue)', 'pause'),
  'queues.drain': change('Drain a queue (accepts no new runs, still starts queued runs)', 'drain'),
  'queues.resume': change('Resume a paused or draining queue', 'resume'),
};
