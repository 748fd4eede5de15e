import { exitCodes } from '../../../base/error-codes.ts';
import { engineStart } from '../../../model/workflow/cron-days.ts';
import type { DagSummaryView } from '../../../contract/workflows/dags.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { listAllDags } from '../../host/list-dags.ts';
import { truncateToWidth, oneLine } from '../../report/plain-text.ts';
import { formatStatus } from '../../report/status-styles.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';
import type { Channel } from '../../terminal.ts';

export interface DagsInput {
  /** Only names that contain this. */
  readonly name?: string;
  readonly tags: readonly string[];
  readonly sort: 'name' | 'nextRun';
  readonly format: OutputFormat;
}

/** Lists the workflows of the home with their next runs. An empty list is a success. */
export function runDags(context: CommandContext, input: DagsInput): Promise<number> {
  return withHost(context, async ({ api, location }) => {
    const { name, tags, sort } = input;
    const filter = { name, sort, ...(tags.length === 0 ? {} : { tags: [...tags] }) };
    const dags = await listAllDags(api, context.caller, filter);
    if (input.format === 'json') await printJson(context, { dags: dags.map(toJson) });
    else if (dags.length === 0) await context.terminal.stderr.write(`No workflows in ${location}.\n`);
    else await printLines(context, tabulate(dags, context.terminal.stdout));
    return exitCodes.success;
  });
}

const toJson = (dag: DagSummaryView): object => ({
  fileName: dag.fileName,
  name: dag.name,
  description: dag.description ?? null,
  tags: dag.tags,
  valid: dag.valid,
  suspended: dag.suspended,
  nextRun: dag.nextRun ?? null,
  schedule: dag.schedule,
  stepCount: dag.stepCount,
  latestRun:
    dag.latestRun === undefined
      ? null
      : {
          dagRunId: dag.latestRun.dagRunId,
          status: dag.latestRun.status,
          startedAt: dag.latestRun.startedAt ?? null,
          finishedAt: dag.latestRun.finishedAt ?? null,
        },
});

function tabulate(dags: readonly DagSummaryView[], channel: Channel): string[] {
  const rows = dags.map((dag) => [
    dag.fileName,
    dag.latestRun === undefined ? '' : formatStatus(channel, dag.latestRun.status),
    describeNext(dag, channel),
    dag.tags.join(','),
    truncateToWidth(oneLine(dag.description ?? ''), 50),
  ]);
  return formatTable(['DAG', 'LATEST RUN', 'NEXT RUN', 'TAGS', 'DESCRIPTION'], rows, []);
}

function describeNext({ valid, suspended, nextRun, schedule }: DagSummaryView, channel: Channel): string {
  if (!valid) return channel.paint('red', 'invalid');
  if (suspended) return 'suspended';
  if (nextRun !== undefined) return formatDateTime(new Date(nextRun));
  return schedule.start.includes(engineStart) ? 'when the engine starts' : '';
}
