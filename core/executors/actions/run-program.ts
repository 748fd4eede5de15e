import { getErrorMessage } from '../../base/errors.ts';
import { parseSignal } from '../../process/kill.ts';
import type { LaunchedProcess, LaunchRequest } from '../../process/launcher.ts';
import { formatExit } from '../step-output.ts';
import {
  type ActionRecord,
  makeCommandFiles,
  takeCommandFiles,
  CommandReader,
  LineStream,
} from './commands.ts';
import type { Job, ActionResult } from './job.ts';

/** A program of an action. */
export interface Program extends Pick<LaunchRequest, 'argv' | 'cwd' | 'verbatimArguments'> {
  /** Variables for this program only. */
  readonly programEnv: Readonly<Record<string, string>>;
  /** Variables that earlier programs cannot override. */
  readonly fixed: Readonly<Record<string, string>>;
}

/**
 * Runs one program of an action to its end. Output is written to the attempt's log, and workflow commands and command
 * files are processed. A stop ends the program like any step; a program that starts after the stop, to clean up, may
 * run until the end of the clean-up time. Never rejects.
 */
export async function runProgram(job: Job, program: Program, record: ActionRecord): Promise<ActionResult> {
  return withCommandFiles(job, record, (_, files) =>
    launch(job, program, job.environment(program.programEnv, { ...program.fixed, ...files }), record),
  );
}

/**
 * Provides a program with its command files and processes what it wrote to them, however it ended. Never rejects.
 * @param run receives the folder of the files and their variables
 */
export async function withCommandFiles(
  job: Job,
  record: ActionRecord,
  run: (folder: string, files: Readonly<Record<string, string>>) => Promise<ActionResult>,
): Promise<ActionResult> {
  const folder = job.nextFolder();
  try {
    const files = await makeCommandFiles(folder);
    const end = await run(folder, files);
    const summary = await takeCommandFiles(folder, record, job);
    if (summary.trim() !== '') await job.write('stdout', `Summary:\n${summary.trimEnd()}\n`);
    if (end.error !== undefined) return end;
    return record.refusal === undefined ? end : { ...end, error: record.refusal };
  } catch (error) {
    return { error: getErrorMessage(error) };
  }
}

async function launch(
  job: Job,
  { argv, cwd, verbatimArguments }: Program,
  env: Record<string, string>,
  record: ActionRecord,
): Promise<ActionResult> {
  const { context, task } = job;
  const isLate = task.signal.aborted;
  const isCancelled = (): boolean => task.killing.aborted || (!isLate && task.signal.aborted);
  if (isCancelled()) return { error: 'stopped before the action started' };
  const output = followOutput(job, env, record);
  const launched = await context.launcher.launch({
    argv,
    env,
    cwd,
    verbatimArguments: verbatimArguments ?? false,
    attemptDir: context.attemptDir,
    isPart: true,
    stopSignal: parseSignal(context.step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
    cleanUpMs: context.cleanUpMs,
    relay: { mask: output.stream, copies: {} },
    isCancelled,
  });
  if (!launched.ok) return { error: launched.error.message };
  const release = stopOnAbort(launched.value, isLate ? undefined : task.signal, task.killing);
  const { exitCode, signal } = await launched.value.ended;
  release();
  if (exitCode === 0) return { exitCode };
  const ending = formatExit({ exitCode, signal }, task.signal.aborted);
  const reason = record.lastError ?? output.lastLines();
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    error: reason === '' ? ending : `${ending}: ${reason}`,
  };
}

/**
 * Ends the process when a signal is aborted, or at once if it is aborted already.
 * @returns removes the listeners
 */
function stopOnAbort(
  launched: LaunchedProcess,
  stopping: AbortSignal | undefined,
  killing: AbortSignal,
): () => void {
  const released = new AbortController();
  const options = { once: true, signal: released.signal };
  if (stopping?.aborted === true) launched.stop();
  else stopping?.addEventListener('abort', () => launched.stop(), options);
  if (killing.aborted) launched.kill();
  else killing.addEventListener('abort', () => launched.kill(), options);
  return () => released.abort();
}

/** Number of stderr lines in the error message of an action that does not report an error itself. */
const maxReportedLines = 10;
const maxReportedLength = 1000;

/** Receives the output of one program and writes it to the log. */
export interface OutputFollower {
  /** Returns the writable stream for stdout or stderr. */
  stream(name: 'stdout' | 'stderr'): LineStream;
  /** Returns the last lines of stderr for an error message. */
  lastLines(): string;
}

/**
 * Runs the workflow commands in a program's output and writes the rest to the log.
 * @param env environment of the program
 */
export function followOutput(
  job: Job,
  env: Readonly<Record<string, string>>,
  record: ActionRecord,
): OutputFollower {
  const reader = new CommandReader(record, job, {
    debug: env['RUNNER_DEBUG'] === '1',
    unsecure: env['ACTIONS_ALLOW_UNSECURE_COMMANDS']?.toLowerCase() === 'true',
  });
  let last: string[] = [];
  return {
    stream: (name) =>
      new LineStream(async (lines) => {
        const shown = lines.map((line) => reader.read(line)).filter((line) => line !== '');
        if (name === 'stderr') last = [...last, ...shown.slice(-maxReportedLines)].slice(-maxReportedLines);
        await job.write(name, shown.join(''));
      }),
    lastLines: () => job.maskSecrets(last.join('').trim().slice(-maxReportedLength)),
  };
}
