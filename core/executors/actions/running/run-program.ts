import { messageOf } from '../../../base/errors.ts';
import { parseSignal } from '../../../process/ending/signals.ts';
import type { LaunchedProcess, LaunchRequest } from '../../../process/launch/launcher.ts';
import { describeEnding } from '../../failure-text.ts';
import type { ActionRecord } from '../messages/action-record.ts';
import { makeCommandFiles, takeCommandFiles } from '../messages/file-commands.ts';
import { followOutput } from './follow-output.ts';
import type { Job, PartEnd } from './job.ts';

/** A program of an action. */
export interface Program extends Pick<LaunchRequest, 'argv' | 'cwd' | 'verbatimArguments'> {
  /** Variables for it alone. */
  readonly own: Readonly<Record<string, string>>;
  /** Variables that nothing before it can change. */
  readonly fixed: Readonly<Record<string, string>>;
}

/**
 * Runs one program of an action to its end: its output goes into the attempt's log without the commands in it, and
 * what it asks for by them and by files is done. A stop ends it as it ends any step; one that begins after the stop,
 * to clean up, has until the end of the clean-up time. Never rejects.
 */
export async function runProgram(job: Job, program: Program, record: ActionRecord): Promise<PartEnd> {
  return withCommandFiles(job, record, (_, files) =>
    launch(job, program, job.environment(program.own, { ...program.fixed, ...files }), record),
  );
}

/**
 * Gives a program the files that it may write to, and takes over what it wrote to them, however it ended. Never rejects.
 * @param run gets the folder of the files, and their variables
 */
export async function withCommandFiles(
  job: Job,
  record: ActionRecord,
  run: (folder: string, files: Readonly<Record<string, string>>) => Promise<PartEnd>,
): Promise<PartEnd> {
  const folder = job.nextFolder();
  try {
    const files = await makeCommandFiles(folder);
    const end = await run(folder, files);
    const summary = await takeCommandFiles(folder, record, job);
    if (summary.trim() !== '') await job.write('stdout', `Summary:\n${summary.trimEnd()}\n`);
    if (end.error !== undefined) return end;
    return record.refusal === undefined ? end : { ...end, error: record.refusal };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

async function launch(
  job: Job,
  { argv, cwd, verbatimArguments }: Program,
  env: Record<string, string>,
  record: ActionRecord,
): Promise<PartEnd> {
  const { context, task } = job.parts;
  const isLate = task.signal.aborted;
  const isUnwanted = (): boolean => task.killing.aborted || (!isLate && task.signal.aborted);
  if (isUnwanted()) return { error: 'stopped before the action started' };
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
    isCancelled: isUnwanted,
  });
  if (!launched.ok) return { error: launched.error.message };
  const release = endWith(launched.value, isLate ? undefined : task.signal, task.killing);
  const { exitCode, signal } = await launched.value.ended;
  release();
  if (exitCode === 0) return { exitCode };
  const ending = describeEnding({ exitCode, signal }, task.signal.aborted);
  const reason = record.lastError ?? output.lastLines();
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    error: reason === '' ? ending : `${ending}: ${reason}`,
  };
}

/** Ends the process with the signals, at once when they have been given already. @returns what lets go of them */
function endWith(
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
