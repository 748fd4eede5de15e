import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { type CommandContext, type OutputFormat, withHost } from '../command-context.ts';
import { findRun } from '../find-run.ts';
import { followLogs } from '../logs/follow-logs.ts';
import { findNode, listLogs, type LogChoice } from '../logs/log-address.ts';
import { printLogs, printLogsAsJson } from '../logs/print-logs.ts';

export interface LogsInput {
  readonly dag: string;
  /** All steps and handlers when absent. */
  readonly step?: string;
  readonly runId?: string;
  /** All attempts of a whole run, the newest of one step, when absent. */
  readonly attempt?: number;
  readonly follow: boolean;
  readonly stream: 'stdout' | 'stderr' | 'both';
  readonly format: OutputFormat;
}

/** Shows what the steps of a run have written. */
export function runLogs(context: CommandContext, input: LogsInput): Promise<number> {
  if (input.follow && input.format === 'json') {
    throw new AppError(
      'bad_request',
      '--follow has no end to close a JSON object at; leave out one of --follow and --format json',
    );
  }
  return withHost(context, async ({ api }) => {
    const run = await findRun(api, context.caller, { dag: input.dag, dagRunId: input.runId }, context);
    const node = input.step === undefined ? undefined : findNode(run, input.step);
    const choice: LogChoice = {
      node,
      attempt: input.attempt,
      streams: input.stream === 'both' ? ['stdout', 'stderr'] : [input.stream],
    };
    const options = { api, caller: context.caller, channel: context.terminal.stdout, choice };
    if (input.follow) {
      await followLogs(run, options);
      return exitCodes.success;
    }
    const all = listLogs(run, choice);
    const newest = Math.max(...all.map((log) => log.attempt));
    const logs = node === undefined ? all : all.filter((log) => log.attempt === newest);
    if (input.attempt !== undefined && logs.length === 0) {
      throw new AppError(
        'not_found',
        `${input.step ?? run.name} has no attempt ${input.attempt} in run ${run.dagRunId}`,
      );
    }
    if (input.format === 'json') await printLogsAsJson(run, logs, options);
    else await printLogs(logs, options);
    return exitCodes.success;
  });
}
