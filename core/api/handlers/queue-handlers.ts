import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { QueueItemView, QueueView } from '../../contract/queues.ts';
import type { QueueItem, QueueState } from '../../model/queue.ts';
import type { ItemPage } from '../../store/types/queues.ts';
import { saveQueueLimit } from '../../home/config/setting-edit.ts';
import { type QueueOverview, requireValidQueue } from '../../run/queue/queues.ts';
import { findNearest } from '../../base/text.ts';
import type { Caller } from '../engine-api.ts';
import type { EngineContext } from '../engine-context.ts';
import { toRunSummary } from '../views.ts';
import { inlineSource, getOrigin, type HandlersFor } from './handlers.ts';

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
  | 'queues.resume'
  | 'queues.setLimit';

/** Operations on queues and their items. */
export const queueHandlers: HandlersFor<QueueOperation> = {
  'dags.enqueue': ({ fileName, dagName, ...options }, context, caller) =>
    context.enqueueRun({
      ...options,
      source: { fileName },
      ...getOrigin(caller),
      name: dagName,
      trace: caller.trace,
    }),
  'runs.enqueue': ({ spec, base, fileName, ...options }, context, caller) =>
    context.enqueueRun({
      ...options,
      source: inlineSource(spec, base, fileName),
      ...getOrigin(caller),
      trace: caller.trace,
    }),
  'runs.dequeue': async ({ name, dagRunId }, { queues }, caller) => {
    await queues.dequeue({ name, dagRunId }, caller.name);
    return { name, dagRunId };
  },
  'queues.list': async (_, context) => {
    const queues = await context.queues.list();
    const views = await Promise.all(queues.map((queue) => toQueueView(queue, context)));
    return { queues: views, summary: toDagSummary(views), processed: await context.queues.isProcessed() };
  },
  'queues.items': async ({ queue, limit = defaultPageSize, cursor }, context) => {
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const items = await context.queues.items(queue, { limit, ...(after && { after }) });
    const last = items.at(-1);
    const nextCursor = last === undefined || items.length < limit ? undefined : toCursor(last);
    return { items: await Promise.all(items.map((item) => toItemView(item, context))), nextCursor };
  },
  'queues.dequeue': ({ queue }, { queues }, caller) => queues.dequeueOldest(queue, caller.name),
  'queues.clear': async ({ queue }, context, caller) => {
    await requireQueue(context, queue);
    return { dequeued: await context.queues.clear(queue, caller.name) };
  },
  'queues.move': async ({ queue, name, dagRunId, position }, context) => {
    await requireQueue(context, queue);
    const item = await context.queues.move(queue, { name, dagRunId }, position);
    if (item !== undefined) return toItemView(item, context);
    throw new AppError('not_queued', `Run ${dagRunId} of ${name} is no longer in the queue ${queue}.`);
  },
  'queues.setLimit': async ({ queue, maxConcurrency }, context) => {
    const name = requireValidQueue(queue);
    const limit = maxConcurrency ?? undefined;
    saveQueueLimit(context.paths.configFile, { queue: name, limit });
    return toQueueView(await context.queues.setLimit(name, limit), context);
  },
  'queues.pause': ({ queue }, context, caller) => change(context, queue, 'paused', caller),
  'queues.drain': ({ queue }, context, caller) => change(context, queue, 'draining', caller),
  'queues.resume': ({ queue }, context, caller) => change(context, queue, 'open', caller),
};

async function change(
  context: EngineContext,
  queue: string,
  state: QueueState,
  caller: Caller,
): Promise<QueueView> {
  await requireQueue(context, queue);
  return toQueueView(await context.queues.setState(queue, state, caller.name), context);
}

async function toQueueView(
  { queue, limit, isGlobal }: QueueOverview,
  { queues }: EngineContext,
): Promise<QueueView> {
  const { name, state, by, running, waiting, hold } = queue;
  const [activeRuns, items] = await Promise.all([
    queues.activeRuns(name, shown),
    queues.items(name, { limit: shown }),
  ]);
  return {
    name,
    type: isGlobal ? 'global' : 'dag-based',
    state,
    changedBy: by,
    maxConcurrency: limit,
    hold: hold && { reason: hold.reason, at: toIso(hold.at) },
    runningCount: running,
    queuedCount: waiting,
    running: await Promise.all(activeRuns.map((run) => toRunSummary(run, queues))),
    queued: await Promise.all(items.map(({ run }) => toRunSummary(run, queues))),
  };
}

function toDagSummary(queues: readonly QueueView[]) {
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

const toItemView = async (
  { run, priority, enqueuedAt, claimedAt }: QueueItem,
  { queues }: EngineContext,
): Promise<QueueItemView> => ({
  run: await toRunSummary(run, queues),
  priority,
  enqueuedAt: toIso(enqueuedAt),
  claimedAt: claimedAt === undefined ? undefined : toIso(claimedAt),
});

/** Claimed items, which are about to start, come first. */
const toCursor = ({ priority, key, claimedAt }: QueueItem): string =>
  claimedAt === undefined ? `${priority}.${key}` : 'claimed';

function parseCursor(cursor: string): NonNullable<ItemPage['after']> {
  if (cursor === 'claimed') return { priority: Number.MAX_SAFE_INTEGER, key: 0 };
  const context = /^(-?\d{1,4})\.(\d{1,15})$/.exec(cursor);
  if (context !== null) return { priority: Number(context[1]), key: Number(context[2]) };
  throw new AppError(
    'bad_request',
    'cursor: invalid cursor. Use "nextCursor" of a previous page, or omit it for the first page.',
  );
}

/**
 * Checks that a queue is known, because any name can be that of a queue and a typo would change an unused queue. Known
 * queues are in the configuration, have runs or are not open, or are used by a workflow of the home.
 * @throws `not_found` with the most similar name
 */
async function requireQueue({ queues, library }: EngineContext, name: string): Promise<void> {
  const used = (await queues.list()).map(({ queue }) => queue.name);
  if (used.includes(name)) return;
  const wished = library.list().map(({ fileName, spec: { workflows } }) => {
    const [workflow] = workflows;
    return workflow?.queue ?? workflow?.name ?? fileName;
  });
  if (wished.includes(name)) return;
  const nearest = findNearest(name, [...used, ...wished]);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new AppError('not_found', `Queue "${name}" not found.${guess}`);
}
