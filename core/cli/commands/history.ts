import type { EngineApi } from '../../api/engine-host.ts';
import { exitCodes } from '../../base/error-codes.ts';
import type { RunSummaryView } from '../../contract/run-views.ts';
import type { RunStatus } from '../../model/status.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { findRunNames } from '../find-run.ts';
import { cutTo, oneLine } from '../report/plain-text.ts';
import { formatParams } from '../report/run-json.ts';
import { statusText } from '../report/status-look.ts';
import { formatTable } from '../report/table.ts';
import { dateTimeText, elapsedText } from '../report/time-text.ts';
import type { Channel } from '../terminal.ts';

export interface HistoryInput {
  /** All workflows when absent. */
  readonly dag?: string;
  readonly statuses: readonly RunStatus[];
  readonly limit: number;
  readonly format: OutputFormat;
}

const longestPage = 1000;

/** Lists runs, newest first. An empty list is a success. */
export function runHistory(context: CommandContext, input: HistoryInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const runs = await listRuns(context, api, input);
    if (input.format === 'json') await printJson(context, { dagRuns: runs.map(toJson) });
    else if (runs.length === 0) await context.terminal.stderr.write('No runs.\n');
    else await printLines(context, tabulateRuns(runs, context.terminal.stdout, context.clock.now()));
    return exitCodes.success;
  });
}

async function listRuns(
  context: CommandContext,
  api: EngineApi,
  input: HistoryInput,
): Promise<RunSummaryView[]> {
  if (input.dag === undefined) return listRunsNamed(context, api, input, undefined);
  for (const name of findRunNames(input.dag, context)) {
    const runs = await listRunsNamed(context, api, input, name);
    if (runs.length > 0) return runs;
  }
  return [];
}

async function listRunsNamed(
  context: CommandContext,
  api: EngineApi,
  input: HistoryInput,
  name: string | undefined,
): Promise<RunSummaryView[]> {
  const filter = {
    ...(name === undefined ? {} : { name }),
    ...(input.statuses.length === 0 ? {} : { status: [...input.statuses] }),
  };
  const runs: RunSummaryView[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(longestPage, input.limit - runs.length);
    const page = await api.call(
      'runs.list',
      { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) },
      context.caller,
    );
    runs.push(...page.dagRuns);
    cursor = page.nextCursor;
  } while (cursor !== undefined && runs.length < input.limit);
  return runs;
}

const toJson = (run: RunSummaryView): object => ({
  name: run.name,
  dagRunId: run.dagRunId,
  status: run.status,
  ...(run.error === undefined ? {} : { error: run.error }),
  ...(run.wait === undefined ? {} : { wait: run.wait }),
  trigger: run.trigger,
  params: formatParams(run.params),
  createdAt: run.createdAt,
  startedAt: run.startedAt ?? null,
  finishedAt: run.finishedAt ?? null,
});

function tabulateRuns(runs: readonly RunSummaryView[], channel: Channel, now: number): string[] {
  const rows = runs.map((run) => [
    run.name,
    run.dagRunId,
    statusText(channel, run.status),
    dateTimeText(new Date(run.startedAt ?? run.createdAt)),
    elapsedText(run, now) ?? '',
    run.trigger,
    cutTo(formatParams(run.params).map(oneLine).join(' '), 40),
    run.error === undefined ? '' : oneLine(run.error),
  ]);
  const headings = ['NAME', 'RUN ID', 'STATUS', 'STARTED', 'DURATION', 'TRIGGER', 'PARAMS', 'ERROR'];
  return formatTable(headings, rows, ['DURATION']);
}
