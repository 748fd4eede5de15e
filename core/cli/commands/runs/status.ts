import { exitCodes } from '../../../base/error-codes.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { findRun } from '../../arguments/find-run.ts';
import { describeRun } from '../../report/run-json.ts';
import { summarizeRun } from '../../report/run-summary.ts';

export interface StatusInput {
  readonly dag: string;
  readonly runId?: string;
  readonly format: OutputFormat;
}

/** Shows a run with its steps. Succeeds regardless of the run's status. */
export function runStatus(context: CommandContext, input: StatusInput): Promise<number> {
  return withHost(context, async (host) => {
    const run = await findRun(context, host, { dag: input.dag, dagRunId: input.runId });
    if (input.format === 'json') await printJson(context, await describeRun(host.api, context.caller, run));
    else await printLines(context, summarizeRun(run, context.terminal.stdout, context.clock.now()));
    return exitCodes.success;
  });
}
