import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import { type CommandContext, type OutputFormat, withHost } from '../command-context.ts';
import { findRun } from '../arguments.ts';
import type { EngineClient } from '../host/engine-client.ts';
import {
  followLogs,
  waitUntilEnded,
  findLogs,
  findNode,
  type LogChoice,
  printLogs,
  printLogsAsJson,
} from '../print-logs.ts';

export interface LogsInput {
  readonly dag: string;
  /** Default: all steps and handlers. */
  readonly step?: string;
  readonly runId?: string;
  /** Default: all attempts for a whole run, the newest for a step. */
  readonly attempt?: number;
  /** One item of the step. Default: the step's own output. */
  readonly item?: number;
  readonly follow: boolean;
  readonly stream: 'stdout' | 'stderr' | 'both';
  readonly format: OutputFormat;
}

/** Prints the logs of a run. With JSON, followed logs are printed after the run has ended. */
export function runLogs(context: CommandContext, input: LogsInput): Promise<number> {
  if (input.item !== undefined && input.step === undefined) {
    throw new AppError('bad_request', 'Option --item requires a step. Name the step before it.');
  }
  return withHost(context, (host) => showLogs(context, host, input));
}

async function showLogs(context: CommandContext, host: EngineClient, input: LogsInput): Promise<number> {
  const { caller } = context;
  const { api } = host;
  let run = await findRun(context, host, { dag: input.dag, dagRunId: input.runId });
  const node = input.step === undefined ? undefined : findNode(run, input.step);
  const choice: LogChoice = {
    node,
    attempt: input.attempt,
    item: input.item,
    streams: input.stream === 'both' ? ['stdout', 'stderr'] : [input.stream],
  };
  const options = { api, caller, channel: context.terminal.stdout, choice };
  if (input.follow && input.format === 'text') {
    await followLogs(run, await findLogs(api, caller, run, choice), options);
    return exitCodes.success;
  }
  if (input.follow) {
    await waitUntilEnded(run, options);
    run = await api.call('runs.get', { name: run.name, dagRunId: run.dagRunId }, caller);
  }
  const all = await findLogs(api, caller, run, choice);
  const newest = Math.max(...all.map((log) => log.attempt));
  const logs = node === undefined ? all : all.filter((log) => log.attempt === newest);
  if (logs.length === 0) await printNoLogs(context, run, input);
  if (input.format === 'json') await printLogsAsJson(run, logs, options);
  else await printLogs(logs, options);
  return exitCodes.success;
}

/** Reports that there are no logs yet. Throws if a specified attempt or item does not exist. */
async function printNoLogs(
  { terminal }: CommandContext,
  run: RunDetailView,
  { step, attempt, item, format }: LogsInput,
): Promise<void> {
  const what = [item !== undefined && `item ${item}`, attempt !== undefined && `attempt ${attempt}`];
  const missing = what.filter((part) => part !== false).join(' in ');
  if (missing !== '')
    throw new AppError('not_found', `${step ?? run.name} has no ${missing} in run ${run.dagRunId}.`);
  // The JSON output contains the status.
  if (format === 'json') return;
  const which = step === undefined ? 'No step has started' : `Step ${step} has not started`;
  await terminal.stderr.write(`${which} in run ${run.dagRunId} of ${run.name} (${run.status}).\n`);
}
