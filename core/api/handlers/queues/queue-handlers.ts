import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { QueueItemView, QueueView } from '../../../contract/queues.ts';
import type { QueueItem, QueueState } from '../../../model/queue.ts';
import type { ItemPage } from '../../../queue/ports.ts';
import type { QueueOverview } from '../../../queue/queues.ts';
import type { Caller } from '../../engine-host.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { requireQueue } from './require-queue.ts';
import { toRunSummary } from '../../views.ts';
import { inlineSource, originOf, type HandlersFor } from '../handlers.ts';

const defaultPageSize = 50;
/** Maximum number of runs of each kind that are shown for a queue. */
const shown = 100;

type QueueOperation =
  | 'dags.enqueue'
  | 'runs.enqueue'
  | 'runs.dequeue'
  | 'queues.list'
  | 'queues.items'
  | 'queues.dequeue'
  | 'queues.pause'
  | 'queues.clear'
  | 'queues.move'
  | 'queues.drain'
  | 'queues.resume';

/** Operations on queues and their items. */
export const queueHandlers: HandlersFor<QueueOperation> = {
  'dags.enqueue': ({ fileName, dagName, ...wish }, parts, caller) =>
    parts.enqueueRun({
      ...wish,
      source: { fileName },
      ...originOf(caller),
      name: dagName,
      trace: caller.trace,
    }),
  'runs.enqueue': ({ spec, base, fileName, ...wish }, parts, caller) =>
    parts.enqueueRun({
      ...wish,
      source: inlineSource(spec, base, fileName),
      ...originOf(caller),
      trace: caller.trace,
    }),
  'runs.dequeue': ({ name, dagRunId }, { queues }, caller) => {
    queues.dequeue({ name, dagRunId }, caller.name);
    return { name, dagRunId };
  },
  'queues.list': (_, parts) => {
    const views = parts.queues.list().map((queue) => toQueueView(queue, parts));
    return { queues: views, summary: summarize(views), processed: parts.queues.isProcessed() };
  },
  'queues.items': ({ queue, limit = defaultPageSize, cursor }, parts) => {
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const items = parts.queues.items(queue, { limit, ...(after && { after }) });
    const last = items.at(-1);
    const nextCursor = last === undefined || items.length < limit ? undefined : toCursor(last);
    return { items: items.map((item) => toItemView(item, parts)), nextCursor };
  },
  'queues.dequeue': ({ queue }, { queues }, caller) => queues.dequeueOldest(queue, caller.name),
  'queues.clear': async ({ queue }, parts, caller) => {
    requireQueue(parts, queue);
    return { dequeued: await parts.queues.clear(queue, caller.name) };
  },
  'queues.move': ({ queue, name, dagRunId, position }, parts) => {
    requireQueue(parts, queue);
    const item = parts.queues.move(queue, { name, dagRunId }, position);
    if (item !== undefined) return toItemView(item, parts);
    throw new AppError('not_queued', `Run ${dagRunId} of ${name} has just left the queue ${queue}.`);
  },
  'queues.pause': ({ queue }, parts, caller) => change(parts, queue, 'paused', caller),
  'queues.drain': ({ queue }, parts, caller) => change(parts, queue, 'draining', caller),
  'queues.resume': ({ queue }, parts, caller) => change(parts, queue, 'open', caller),
};

function change(parts: EngineParts, queue: string, state: QueueState, caller: Caller): QueueView {
  requireQueue(parts, queue);
  return toQueueView(parts.queues.setState(queue, state, caller.name), parts);
}

function toQueueView({ queue, limit, isGlobal }: QueueOverview, { queues }: EngineParts): QueueView {
  const { name, state, by, running, waiting, hold } = queue;
  return {
    name,
    type: isGlobal ? 'global' : 'dag-based',
    state,
    changedBy: by,
    maxConcurrency: limit,
    hold: hold && { reason: hold.reason, at: toIso(hold.at) },
    runningCount: running,
    queuedCount: waiting,
    running: queues.activeRuns(name, shown).map((run) => toRunSummary(run, queues)),
    queued: queues.items(name, { limit: shown }).map(({ run }) => toRunSummary(run, queues)),
  };
}

function summarize(queues: readonly QueueView[]) {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const limited = queues.filter(({ maxConcurrency }) => maxConcurrency !== undefined);
  const totalCapacity = sum(limited.map(({ maxConcurrency = 0 }) => maxConcurrency));
  const used = sum(limited.map(({ runningCount }) => runningCount));
  return {
    totalQueues: queues.length,
    totalRunning: sum(queues.map(({ runningCount }) => runningCount)),
    totalQueued: sum(queues.map(({ queuedCount }) => queuedCount)),
    totalCapacity,
    utilizationPercentage: totalCapacity === 0 ? 0 : (100 * used) / totalCapacity,
  };
}

const toItemView = (
  { run, priority, enqueuedAt, claimedAt }: QueueItem,
  { queues }: EngineParts,
): QueueItemView => ({
  run: toRunSummary(run, queues),
  priority,
  enqueuedAt: toIso(enqueuedAt),
  claimedAt: claimedAt === undefined ? undefined : toIso(claimedAt),
});

/** Claimed items, which are about to start, come first. */
const toCursor = ({ priority, key, claimedAt }: QueueItem): string =>
  claimedAt === undefined ? `${priority}.${key}` : 'claimed';

function parseCursor(cursor: string): NonNullable<ItemPage['after']> {
  if (cursor === 'claimed') return { priority: Number.MAX_SAFE_INTEGER, key: 0 };
  const parts = /^(-?\d{1,4})\.(\d{1,15})$/.exec(cursor);
  if (parts !== null) return { priority: Number(parts[1]), key: Number(parts[2]) };
  throw new AppError(
    'bad_request',
    'cursor: invalid cursor. Use "nextCursor" of a previous page, or omit it for the first page.',
  );
}
