import { constants } from 'node:os';
import type { EnqueueRequest } from '../../../api/engine-host.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import type { RunDetailView } from '../../../contract/runs/run-views.ts';
import type { RunRef } from '../../../model/run/run.ts';
import { type CommandContext, type OutputFormat, printJson, withHost } from '../../command-context.ts';
import { describeExec, execStep, type CommandRequest } from '../../exec/exec-workflow.ts';
import { findPath } from '../../exec/find-path.ts';
import { readBaseFile } from '../../exec/read-base-file.ts';
import { findDotenvFiles } from '../../exec/find-dotenv-files.ts';
import { showOutput, type ForwardedOutput } from '../../exec/show-output.ts';
import { runExitCode } from '../../errors/exit-code.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { hostFolder } from '../../host/host-folder.ts';
import { describeOutcome } from '../../report/run-end.ts';
import { describeRun } from '../../report/run-json.ts';
import { stopOnSignal } from '../../start/stop-on-signal.ts';
import { printEnqueued } from '../../report/print-enqueued.ts';

export interface ExecInput extends CommandRequest {
  readonly runId?: string;
  /** Dotenv files, relative to the current directory. Later values win, and `env` wins over all. */
  readonly dotenv: readonly string[];
  /** A base configuration file instead of the home's. */
  readonly base?: string;
  /** Queue to wait in instead of starting immediately. */
  readonly queue?: string;
  /** `--no-queue`: start now or fail. */
  readonly noQueue: boolean;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Runs a command as the only step of a workflow, with history and logs. Exits with the command's exit code. */
export async function runExec(context: CommandContext, input: ExecInput): Promise<number> {
  if (input.queue !== undefined && input.noQueue) {
    throw new AppError('bad_request', 'Options --queue and --no-queue cannot be used together.');
  }
  const request = await toRequest(context, input);
  return withHost(context, async (host) => {
    if (input.queue === undefined) return followExec(context, host, await host.startRun(request), input);
    const run = await host.enqueueRun({ ...request, queue: input.queue });
    return printEnqueued(context, host, run, input);
  });
}

async function toRequest(context: CommandContext, input: ExecInput): Promise<EnqueueRequest> {
  const { cwd, server, caller } = context;
  const base = input.base === undefined ? undefined : readBaseFile(context, input.base);
  const folder = hostFolder(context, input.workdir);
  const { spec, params } = describeExec({
    ...input,
    dotenv: await findDotenvFiles(context, input.dotenv),
    // With a server, the directory is on the server's machine.
    workdir: server === undefined ? folder && findPath(folder, 'working directory', 'folder') : folder,
  });
  return {
    source: { spec, ...(base === undefined ? {} : { base }) },
    trigger: 'cli',
    startedBy: caller.name,
    trace: caller.trace,
    dagRunId: input.runId,
    params,
    singleton: input.singleton,
    ...(server === undefined && { defaultWorkingDir: cwd }),
  };
}

async function followExec(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
  input: ExecInput,
): Promise<number> {
  const { format, quiet } = input;
  const signals = stopOnSignal(context, host, run);
  const say = (text: string): void => {
    if (!quiet) void context.terminal.stderr.write(`engine: ${text}\n`);
  };
  const output: ForwardedOutput | undefined =
    format === 'json' ? undefined : showOutput(context, host, run, (reason) => say(`waiting: ${reason}`));
  try {
    const detail = await host.waitForEnd(run);
    await output?.finish();
    if (format === 'json') await printJson(context, await describeRun(host.api, context.caller, detail));
    else say(describeOutcome(detail));
    return signals.received === undefined ? commandExitCode(detail) : runExitCode(detail, signals.received);
  } finally {
    output?.close();
    signals.close();
  }
}

/** Returns the exit code of the command, 128 plus the signal number, or 1 if it did not start. */
function commandExitCode(run: RunDetailView): number {
  const step = run.steps.find(({ name }) => name === execStep);
  if (run.status === 'succeeded') return exitCodes.success;
  if (step?.exitCode !== undefined && step.exitCode !== 0) return step.exitCode;
  const signal = step?.signal as keyof typeof constants.signals | undefined;
  const number = signal === undefined ? undefined : constants.signals[signal];
  return number === undefined ? runExitCode(run) : 128 + number;
}
