import { exitCodes } from '../../base/error-codes.ts';
import type { EnqueueRequest } from '../../api/engine-api.ts';
import type { QueueItemView, QueueView } from '../../contract/queues.ts';
import { formatActor } from '../../model/run-event.ts';
import { AppError } from '../../base/errors.ts';
import type { RunRef } from '../../model/run.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { formatTable, formatDateTime } from '../format.ts';
import { readCliParams, type CliParams } from '../arguments.ts';
import { hostFolder, readPages } from '../host/engine-client.ts';
import { printEnqueued } from '../run-report.ts';

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

export interface EnqueueInput extends CliParams {
  readonly dag: string;
  readonly name?: string;
  readonly runId?: string;
  /** Overrides the workflow's queue. */
  readonly queue?: string;
  readonly priority?: number;
  readonly singleton: boolean;
  readonly defaultWorkingDir?: string;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Queues a run and prints why it waits. A serving host starts it. */
export function runEnqueue(context: CommandContext, input: EnqueueInput): Promise<number> {
  return withHost(context, async (host) => {
    const { defaultWorkingDir, queue, priority, singleton } = input;
    const request: Omit<EnqueueRequest, 'params'> = {
      source: await host.workflows.find(input.dag),
      trigger: 'cli',
      startedBy: context.caller.name,
      trace: context.caller.trace,
      name: input.name,
      dagRunId: input.runId,
      queue,
      priority,
      singleton,
      defaultWorkingDir: hostFolder(context, defaultWorkingDir),
    };
    const { startWithParams } = await import('./start.ts');
    const run = await startWithParams(context, host, readCliParams(input), (params) =>
      host.enqueueRun({ ...request, params }),
    );
    return printEnqueued(context, host, run, input);
  });
}

export interface DequeueInput {
  readonly queue: string;
  /** Default: the run that has waited longest. */
  readonly dagRun?: RunRef;
  readonly format: OutputFormat;
}

/** Removes a queued run from its queue. The run ends as aborted. */
export function runDequeue(
  context: CommandContext,
  { queue, dagRun, format }: DequeueInput,
): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { caller } = context;
    if (dagRun !== undefined) {
      const { wait } = await api.call('runs.get', dagRun, caller);
      if (wait !== undefined && wait.queue !== queue) {
        throw new AppError(
          'not_queued',
          `Run ${dagRun.dagRunId} of ${dagRun.name} is in queue "${wait.queue}", not in "${queue}".`,
        );
      }
    }
    const run =
      dagRun === undefined
        ? await api.call('queues.dequeue', { queue }, caller)
        : await api.call('runs.dequeue', dagRun, caller);
    if (format === 'json') await printJson(context, { ...run, queue });
    else await printLines(context, [`Removed run ${run.dagRunId} of ${run.name} from queue ${queue}.`]);
    return exitCodes.success;
  });
}
