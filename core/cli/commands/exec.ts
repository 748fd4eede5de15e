import { constants } from 'node:os';
import path from 'node:path';
import type { EnqueueRequest, BaseSource } from '../../api/engine-api.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import type { RunRef } from '../../model/run.ts';
import { readText } from '../../home/library/read-text.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { type CommandContext, type OutputFormat, printJson, withHost } from '../command-context.ts';
import { runExitCode } from '../print-error.ts';
import { type EngineClient, hostFolder } from '../host/engine-client.ts';
import { formatOutcome, toRunJson, printEnqueued } from '../run-report.ts';
import { stopOnSignal } from '../signals.ts';
import { oneLine } from '../format.ts';
import { statIfExists } from '../arguments.ts';
import { tailLog, type LogTail } from '../log-output.ts';
import type { StreamName } from '../print-logs.ts';
import type { Channel } from '../terminal.ts';
import { buildExecSpec, execStep, type CommandRequest } from './exec-workflow.ts';

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
  const { spec, params } = buildExecSpec({
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
    if (format === 'json') await printJson(context, await toRunJson(host.api, context.caller, detail));
    else say(formatOutcome(detail));
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

/**
 * Returns absolute paths of dotenv files after checking that the run can read them. The run reads them itself, so that
 * their values are not stored. Ignored entries are reported on stderr. Throws `not_found` for a missing file,
 * `bad_request` for an invalid file, or for any file if the run is on a server, which cannot read them.
 * @param named paths relative to the current directory
 */
async function findDotenvFiles(
  { cwd, environment, terminal, server }: Pick<CommandContext, 'cwd' | 'environment' | 'terminal' | 'server'>,
  named: readonly string[],
): Promise<string[]> {
  if (named.length === 0) return [];
  if (server !== undefined) {
    throw new AppError(
      'bad_request',
      'Option --dotenv reads a local file, but the run executes on the server.',
      {
        details: {
          hint: 'Set single values with --env (stored and shown with the run), or run a workflow whose "secretFiles" names a file on the server.',
        },
      },
    );
  }
  const { readVariableFile } = await import('../../run/values/dotenv.ts');
  const known: Record<string, string> = {};
  const tools = {
    lookup: (name: string) => known[name] ?? environment[name],
    warn: (message: string) => void terminal.stderr.write(`engine: warning: ${oneLine(message)}\n`),
  };
  return named.map((each) => {
    const file = findPath(path.resolve(cwd, each), 'dotenv file', 'file');
    assertReadable(file, () => Object.assign(known, readVariableFile(file, tools)));
    return file;
  });
}

function assertReadable(file: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new AppError('bad_request', `Dotenv file ${file}: ${getErrorMessage(error)}`);
  }
}

/**
 * Returns the path if it has the requested type. Throws `not_found` or `bad_request` before anything is recorded.
 * @param what name used in the message
 */
function findPath(file: string, what: string, expected: 'file' | 'folder'): string {
  const stats = statIfExists(file);
  if (stats === undefined) throw new AppError('not_found', `The ${what} "${file}" does not exist.`);
  if (stats.isDirectory() !== (expected === 'folder'))
    throw new AppError('bad_request', `The ${what} "${file}" is not a ${expected}.`);
  return file;
}

/**
 * Reads the base configuration of `--base` from this machine, even if the run is on a server. Throws `not_found` if
 * missing, `bad_request` if not a file, `invalid_spec` if not text.
 * @param named path relative to the current directory
 */
function readBaseFile({ cwd }: Pick<CommandContext, 'cwd'>, named: string): BaseSource {
  const file = findPath(path.resolve(cwd, named), 'base configuration', 'file');
  const { text, problem } = readText(file);
  if (problem === undefined) return { text, file };
  throw new AppError('invalid_spec', `Invalid base configuration: ${formatDiagnostic(problem)}`, {
    details: { diagnostics: [problem] },
  });
}

/** Output of a command on its way to the terminal. */
interface ForwardedOutput {
  /** Resolves after all output has been shown. Call it when the run has ended. */
  finish(): Promise<void>;
  close(): void;
}

/**
 * Streams stdout and stderr of the command unchanged while it runs.
 * @param printWaiting reports why the run has not started
 */
function showOutput(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
  printWaiting: (reason: string) => void,
): ForwardedOutput {
  const { stdout, stderr } = context.terminal;
  const tails: LogTail[] = [];
  const tail = (stream: StreamName, channel: Channel): void => {
    const address = { ...run, step: execStep, section: 'step', attempt: 1, stream } as const;
    const writer = { write: (bytes: Buffer) => channel.write(bytes), end: () => Promise.resolve() };
    tails.push(tailLog(host.api, context.caller, address, writer));
  };
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
  const leave = host.api.follow(
    'events.follow',
    { name: run.name, dagRunId: run.dagRunId, after: 0 },
    {
      item({ event }) {
        if (event.type === 'step.started' && event.node.section === 'step' && tails.length === 0) {
          tail('stdout', stdout);
          tail('stderr', stderr);
        }
        if (event.type === 'step.waiting') printWaiting(oneLine(event.reason));
        if (event.type === 'run.finished') hear();
      },
      end: () => hear(),
    },
    context.caller,
  );
  return {
    async finish() {
      // The run may end before all its events have been received.
      await heard;
      await Promise.all(tails.map((each) => each.ended));
    },
    close() {
      leave();
      for (const each of tails) each.stop();
    },
  };
}
