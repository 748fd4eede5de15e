import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { RunningStep } from '../../executors/executor.ts';
import { startAction } from '../../executors/registry.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { Step } from '../../model/step.ts';
import { attemptDir } from '../log-places.ts';
import { captureOutput, describeOversize } from '../values/outputs.ts';
import type { KeptItems } from './done-item.ts';
import { ItemsAttempt, type ParallelTask } from './items-attempt.ts';
import { AttemptEnding, type EndAttempt } from './attempt-ending.ts';
import type { AttemptResult, NamedOutput, NodeTask } from './node-task.ts';
import { buildContext, type StepSurroundings } from './step-context.ts';

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
  await around.turnstile.pass();
  const dir = attemptDir(task.node, options.attempt);
  around.emit({ type: 'step.started', node: task.node, attempt: options.attempt, dir });
  const ending = new AttemptEnding(around, task.step);
  options.running.set(ending.end, task.step);
  try {
    return await runAttempt(around, task, options, ending);
  } finally {
    ending.dispose();
    options.running.delete(ending.end);
  }
}

async function runAttempt(
  around: StepSurroundings,
  task: NodeTask,
  options: AttemptOptions,
  ending: AttemptEnding,
): Promise<AttemptResult> {
  const place = path.join(around.runDir, attemptDir(task.node, options.attempt));
  let start: () => RunningStep;
  try {
    mkdirSync(place, { mode: 0o700 });
    start = await prepare(around, task, options, ending.signal);
  } catch (thrown) {
    return ending.explain({ error: messageOf(thrown) });
  }
  await around.durable();
  if (around.stopping.aborted) ending.end('stop');
  if (ending.isWanted) return ending.explain({});
  const result = await ending.awaitEnd(start());
  return withOutput(around, task.step, place, ending.explain(result));
}

/** Everything that can fail before something runs. */
async function prepare(
  around: StepSurroundings,
  task: NodeTask,
  { attempt, kept }: AttemptOptions,
  signal: AbortSignal,
): Promise<() => RunningStep> {
  const dir = attemptDir(task.node, attempt);
  const place = { attempt, signal, path: path.join(around.runDir, dir) };
  const context = await buildContext(around, task, place);
  if (!isParallel(task)) return () => startAction(context);
  return () => new ItemsAttempt(around, task, { attempt, signal, dir, context }, kept).begin();
}

const isParallel = (task: NodeTask): task is ParallelTask => task.step.parallel !== undefined;

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
