import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RunningStep } from '../../executors/executor.ts';
import { startAction } from '../../executors/registry.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { Step } from '../../model/step.ts';
import { attemptDir } from '../log-places.ts';
import { captureOutput, describeOversize } from '../values/outputs.ts';
import type { KeptItems } from './done-item.ts';
import { ItemsAttempt, type ParallelTask } from './items-attempt.ts';
import {
  messageOf,
  type AttemptResult,
  type NamedOutput,
  type NodeTask,
  type StopCause,
} from './node-task.ts';
import { buildContext, type StepSurroundings } from './step-context.ts';

/** Exit code of a step whose time was over, as `timeout(1)` has it. */
const timedOutExitCode = 124;

/** Ends an attempt that is under way. */
export type EndAttempt = (how: 'stop' | 'kill') => void;

/** What an attempt is told besides its task. */
export interface AttemptOptions {
  readonly attempt: number;
  /** Items that earlier attempts have done; is added to. */
  readonly kept: KeptItems;
  /** Attempts under way, so that the run can end them. */
  readonly running: Map<EndAttempt, Step>;
}

/** Makes one attempt of a step, from its announcement to its captured output. Rejects only with `RunLost`. */
export async function makeAttempt(
  around: StepSurroundings,
  task: NodeTask,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { step, node } = task;
  await around.turnstile.pass();
  const dir = attemptDir(node, options.attempt);
  const place = path.join(around.runDir, dir);
  around.emit({ type: 'step.started', node, attempt: options.attempt, dir });
  let start: () => RunningStep;
  try {
    mkdirSync(place, { mode: 0o700 });
    start = await prepare(around, task, options);
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
  await around.durable();
  if (around.stopping.aborted)
    return { cause: 'abort', error: `${String(around.stopping.reason)} before the step began` };
  const result = await awaitEnd(around, step, start(), options.running);
  return withOutput(around, step, place, result);
}

/** Everything that can fail before something runs. */
async function prepare(
  around: StepSurroundings,
  task: NodeTask,
  { attempt, kept }: AttemptOptions,
): Promise<() => RunningStep> {
  const dir = attemptDir(task.node, attempt);
  const context = await buildContext(around, task, { attempt, path: path.join(around.runDir, dir) });
  if (!isParallel(task)) return () => startAction(context);
  return () => new ItemsAttempt(around, task, { attempt, dir, context }, kept).begin();
}

const isParallel = (task: NodeTask): task is ParallelTask => task.step.parallel !== undefined;

async function awaitEnd(
  around: StepSurroundings,
  step: Step,
  running: RunningStep,
  others: AttemptOptions['running'],
): Promise<AttemptResult> {
  let cause: StopCause | undefined;
  const stop = (because: StopCause): void => {
    cause ??= because;
    running.stop();
  };
  const timers: (() => void)[] = [];
  if (hasOwnLimit(step)) timers.push(around.clock.after(step.timeoutSec * 1000, () => stop('timeout')));
  const end: EndAttempt = (how) => {
    if (how === 'kill') {
      cause ??= 'abort';
      return running.kill();
    }
    // A step that repeats is let finish its time, if it does so soon (peer 3).
    if (step.repeat === undefined) return stop('abort');
    timers.push(around.clock.after(around.workflow.maxCleanUpTimeSec * 1000, () => stop('abort')));
  };
  others.set(end, step);
  if (around.stopping.aborted) end('stop');
  try {
    const result = await running.ended;
    if (cause === undefined) return result;
    if (cause === 'abort') return { ...result, cause, error: String(around.stopping.reason) };
    return {
      ...result,
      cause,
      exitCode: timedOutExitCode,
      error: `step timed out after ${step.timeoutSec} s`,
    };
  } finally {
    for (const dispose of timers) dispose();
    others.delete(end);
  }
}

/** Adds the captured `output`; one that is too large fails the attempt. Captured after a failure, too. */
function withOutput(
  { workflow }: StepSurroundings,
  step: Step,
  place: string,
  result: AttemptResult,
): AttemptResult {
  const name = step.output;
  if (name === undefined) return result;
  if (result.output !== undefined) return withResult(result, { name, value: result.output }, workflow);
  try {
    const output = captureOutput(path.join(place, attemptFiles.stdout), workflow.maxOutputSize);
    return 'value' in output
      ? { ...result, captured: { name, value: output.value } }
      : { ...result, error: result.error ?? output.error };
  } catch (thrown) {
    return { ...result, error: result.error ?? `output could not be read: ${messageOf(thrown)}` };
  }
}

/** The result of a sub-run or of items has the same limit as a text. */
function withResult(
  result: AttemptResult,
  captured: NamedOutput,
  { maxOutputSize }: StepSurroundings['workflow'],
): AttemptResult {
  const size = Buffer.byteLength(JSON.stringify(captured.value));
  if (size <= maxOutputSize) return { ...result, captured };
  return { ...result, error: result.error ?? describeOversize(size, maxOutputSize) };
}

/** Whether the step's own limit counts and not the run's (seed 1: `timeoutSec` overrides the DAG's). */
export const hasOwnLimit = (step: Step): step is Step & { timeoutSec: number } =>
  step.timeoutSec !== undefined && step.timeoutSec > 0;
