import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { RunSummaryView } from '../../contract/run-views.ts';
import { isFinal, type RunStatus } from '../../model/run.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { type EngineClient, readPages } from '../host/engine-client.ts';
import {
  truncateToWidth,
  oneLine,
  formatStatus,
  formatTable,
  formatDateTime,
  formatElapsed,
} from '../format.ts';
import { formatParams, toRunJson, summarizeRun } from '../run-report.ts';
import type { Channel } from '../terminal.ts';
import { findRun } from '../arguments.ts';

export interface HistoryInput {
  /** Default: all workflows. */
  readonly dag?: string;
  readonly statuses: readonly RunStatus[];
  /** Only runs with all these tags. */
  readonly tags: readonly string[];
  /** Only runs created at or after this time; ISO 8601. */
  readonly from?: string;
  /** Only runs created before this time. */
  readonly to?: string;
  readonly limit: number;
  readonly format: OutputFormat;
}

/** Lists runs, newest first. An empty list is a success. */
export function runHistory(context: CommandContext, input: HistoryInput): Promise<number> {
  return withHost(context, async (host) => {
    const runs = await listRuns(context, host, input).catch(nameOption);
    if (input.format === 'json') await printJson(context, { dagRuns: runs.map(toJson) });
    else if (runs.length === 0)
      await context.terminal.stderr.write(`${await explainEmptyHistory(host, input)}\n`);
    else await printLines(context, tabulateRuns(runs, context.terminal.stdout, context.clock.now()));
    return exitCodes.success;
  });
}

const isActiveOnly = (statuses: readonly RunStatus[]): boolean =>
  statuses.length > 0 && statuses.every((status) => !isFinal(status));

/** Returns the message for an empty list, with suggestions for an unknown workflow name. */
async function explainEmptyHistory(
  { workflows }: EngineClient,
  { dag, statuses }: HistoryInput,
): Promise<string> {
  if (dag === undefined || (await workflows.tryFind(dag)) !== undefined)
    return isActiveOnly(statuses) ? 'No active runs.' : 'No runs.';
  const nearest = findNearest(dag, await workflows.fileNames());
  const question = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `No runs, and no workflow named "${dag}".${question}`;
}

/** Names the option in errors about invalid times. */
function nameOption(error: unknown): never {
  const field = error instanceof AppError ? error.details?.['field'] : undefined;
  if (field !== 'fromDate' && field !== 'toDate') throw error;
  const option = field === 'fromDate' ? '--from' : '--to';
  throw new AppError('bad_request', (error as AppError).message.replace(field, option));
}

async function listRuns(
  context: CommandContext,
  host: EngineClient,
  input: HistoryInput,
): Promise<RunSummaryView[]> {
  if (input.dag === undefined) return listRunsByName(context, host, input, undefined);
  for (const name of await host.workflows.runNames(input.dag)) {
    const runs = await listRunsByName(context, host, input, name);
    if (runs.length > 0) return runs;
  }
  return [];
}

async function listRunsByName(
  context: CommandContext,
  host: EngineClient,
  input: HistoryInput,
  name: string | undefined,
): Promise<RunSummaryView[]> {
  const filter = {
    ...(name === undefined ? {} : { name }),
    ...(input.statuses.length === 0 ? {} : { status: [...input.statuses] }),
    ...(input.tags.length === 0 ? {} : { tags: [...input.tags] }),
    ...(input.from === undefined ? {} : { fromDate: input.from }),
    ...(input.to === undefined ? {} : { toDate: input.to }),
  };
  return readPages(async (page) => {
    const { dagRuns, nextCursor } = await host.api.call('runs.list', { ...filter, ...page }, context.caller);
    return { entries: dagRuns, nextCursor };
  }, input.limit);
}

const toJson = (run: RunSummaryView): object => ({
  name: run.name,
  dagRunId: run.dagRunId,
  status: run.status,
  ...(run.error === undefined ? {} : { error: run.error }),
  ...(run.wait === undefined ? {} : { wait: run.wait }),
  trigger: run.trigger,
  ...(run.startedBy === undefined ? {} : { startedBy: run.startedBy }),
  params: formatParams(run.params),
  createdAt: run.createdAt,
  startedAt: run.startedAt ?? null,
  finishedAt: run.finishedAt ?? null,
});

/** Maximum width of an error in the table; `--format json` is not truncated. */
const maxErrorWidth = 100;

function tabulateRuns(runs: readonly RunSummaryView[], channel: Channel, now: number): string[] {
  const rows = runs.map((run) => [
    run.name,
    run.dagRunId,
    formatStatus(channel, run.status),
    formatDateTime(new Date(run.startedAt ?? run.createdAt)),
    formatElapsed(run, now) ?? '',
    run.trigger,
    truncateToWidth(formatParams(run.params).map(oneLine).join(' '), 40),
    run.error === undefined ? '' : truncateToWidth(oneLine(run.error), maxErrorWidth),
  ]);
  const headings = ['NAME', 'RUN ID', 'STATUS', 'STARTED', 'DURATION', 'TRIGGER', 'PARAMS', 'ERROR'];
  return formatTable(headings, rows, ['DURATION']);
}

export interface StatusInput {
  readonly dag: string;
  readonly runId?: string;
  readonly format: OutputFormat;
}

/** Prints a run with its steps. Succeeds regardless of the run's status. */
export function runStatus(context: CommandContext, input: StatusInput): Promise<number> {
  return withHost(context, async (host) => {
    const run = await findRun(context, host, { dag: input.dag, dagRunId: input.runId });
    if (input.format === 'json') await printJson(context, await toRunJson(host.api, context.caller, run));
    else await printLines(context, summarizeRun(run, context.terminal.stdout, context.clock.now()));
    return exitCodes.success;
  });
}
