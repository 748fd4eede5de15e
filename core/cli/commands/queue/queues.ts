import { exitCodes } from '../../../base/error-codes.ts';
import type { QueueItemView, QueueView } from '../../../contract/queues.ts';
import { formatActor } from '../../../model/run/actor.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { readPages } from '../../read-pages.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';

export interface QueuesInput {
  readonly format: OutputFormat;
}

/** Lists queues with active and queued runs. */
export function runQueues(context: CommandContext, { format }: QueuesInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { queues, summary, processed } = await api.call('queues.list', {}, context.caller);
    if (format === 'json') {
      await printJson(context, { queues: queues.map(toJson), summary, processed });
      return exitCodes.success;
    }
    if (queues.length === 0) await context.terminal.stderr.write('No queues.\n');
    else await printLines(context, tabulate(queues));
    if (!processed && summary.totalQueued > 0) {
      await context.terminal.stderr.write(
        'No scheduler is running, so queued runs will not start. Open the desktop app, or run "engine start-all" or "engine scheduler".\n',
      );
    }
    return exitCodes.success;
  });
}

const toJson = ({ name, type, state, changedBy, maxConcurrency, runningCount, queuedCount }: QueueView) => ({
  name,
  type,
  state,
  changedBy: changedBy ?? null,
  maxConcurrency: maxConcurrency ?? null,
  runningCount,
  queuedCount,
});

function tabulate(queues: readonly QueueView[]): string[] {
  const rows = queues.map((queue) => [
    queue.name,
    queue.changedBy === undefined ? queue.state : `${queue.state} ${formatActor(queue.changedBy)}`,
    String(queue.runningCount),
    queue.maxConcurrency === undefined ? '-' : String(queue.maxConcurrency),
    String(queue.queuedCount),
    queue.type,
  ]);
  const headings = ['QUEUE', 'STATE', 'RUNNING', 'LIMIT', 'WAITING', 'TYPE'];
  return formatTable(headings, rows, ['RUNNING', 'LIMIT', 'WAITING']);
}

export interface QueueItemsInput {
  readonly queue: string;
  readonly limit: number;
  readonly format: OutputFormat;
}

/** Lists the runs of a queue in start order. */
export function runQueueItems(context: CommandContext, input: QueueItemsInput): Promise<number> {
  const { queue, limit, format } = input;
  return withHost(context, async ({ api }) => {
    const items = await readPages(async (page) => {
      const reply = await api.call('queues.items', { queue, ...page }, context.caller);
      return { entries: reply.items, nextCursor: reply.nextCursor };
    }, limit);
    if (format === 'json') await printJson(context, { queue, items: items.map(itemJson) });
    else if (items.length === 0) await context.terminal.stderr.write(`Queue ${queue} is empty.\n`);
    else await printLines(context, tabulateItems(items));
    return exitCodes.success;
  });
}

const itemJson = ({ run, priority, enqueuedAt, claimedAt }: QueueItemView): object => ({
  name: run.name,
  dagRunId: run.dagRunId,
  priority,
  enqueuedAt,
  claimedAt: claimedAt ?? null,
  wait: run.wait ?? null,
});

const tabulateItems = (items: readonly QueueItemView[]): string[] =>
  formatTable(
    ['NAME', 'RUN ID', 'PRIORITY', 'SINCE'],
    items.map(({ run, priority, enqueuedAt }) => [
      run.name,
      run.dagRunId,
      String(priority),
      formatDateTime(new Date(enqueuedAt)),
    ]),
    ['PRIORITY'],
  );

export interface QueueChangeInput {
  readonly queue: string;
  readonly change: 'pause' | 'drain' | 'resume';
  readonly format: OutputFormat;
}

/** Pauses, drains or resumes a queue. */
export function runQueueChange(
  context: CommandContext,
  { queue, change, format }: QueueChangeInput,
): Promise<number> {
  return withHost(context, async ({ api }) => {
    const view = await api.call(`queues.${change}`, { queue }, context.caller);
    if (format === 'json') await printJson(context, toJson(view));
    else await printLines(context, [`Queue ${view.name} is ${view.state}.`]);
    return exitCodes.success;
  });
}
