import { exitCodes } from '../../../base/error-codes.ts';
import type { RunRef } from '../../../model/run/run.ts';
import type { RunDetailView } from '../../../contract/runs/run-views.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';
import { describeOutcome } from '../../report/run-end.ts';

export interface RecoverInput {
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/**
 * Takes over orphaned runs and drives them to their end. Succeeds regardless of their outcome. If this process ends
 * early, the next host takes them over.
 */
export async function runRecover(context: CommandContext, input: RecoverInput): Promise<number> {
  await context.startWatchdog();
  const host = await context.openHost();
  const recovered: RunDetailView[] = [];
  try {
    for (let runs = await host.recoverRuns(); runs.length > 0; runs = await host.recoverRuns()) {
      if (!input.quiet && input.format === 'text') await printLines(context, runs.map(describeStart));
      const ended = await Promise.all(runs.map((run) => host.waitForEnd(run)));
      recovered.push(...ended);
      if (!input.quiet && input.format === 'text') await printLines(context, ended.map(describeOutcome));
    }
  } finally {
    await host.close('leave');
  }
  await printAll(context, input, recovered);
  return exitCodes.success;
}

const describeStart = ({ name, dagRunId }: RunRef): string => `Recovered run ${dagRunId} of ${name}.`;

async function printAll(
  context: CommandContext,
  { format, quiet }: RecoverInput,
  runs: readonly RunDetailView[],
): Promise<void> {
  if (format === 'json') {
    const dagRuns = runs.map(({ name, dagRunId, status, error }) => ({ name, dagRunId, status, error }));
    await printJson(context, { dagRuns });
  } else if (!quiet && runs.length === 0) {
    await printLines(context, ['Nothing to recover: all active runs have a host.']);
  }
}
