import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { RunningStep } from '../../executors/executor.ts';
import { startAction } from '../../executors/registry.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { JsonValue } from '../../base/json.ts';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { AttemptRecord } from '../../model/run/run.ts';
import type { Step } from '../../model/workflow/step.ts';
import { attemptDir } from '../kept/log-places.ts';
import { stepSpecials } from '../values/run-scope.ts';
import { captureOutput, describeOversize } from '../values/outputs.ts';
import type { KeptItems } from './done-item.ts';
import { isParallel, ItemsAttempt } from './items-attempt.ts';
import { AttemptEnding, type EndAttempt } from './attempt-ending.ts';
import type { AttemptResult, NamedOutput, NodeTask } from './node-task.ts';
import { fetchLocalInputs, keepLocalOutputs } from './local-files.ts';
import type { OpenNode } from './open-node.ts';
import { buildContext, type StepSurroundings } from './step-context.ts';
import { takeUp } from './take-up.ts';

/** Input of an attempt in addition to its task. */
export interface AttemptOptions {
  readonly attempt: number;
  /** Items that earlier attempts have completed; grows. */
  readonly kept: KeptItems;
  /** Running attempts, so that the run can end them. */
  readonly running: Map<EndAttempt, Step>;
  /** State of an attempt that was running when its host was lost; it is resumed. */
  readonly open?: OpenNode | undefined;
  /** Whether to end the attempt as soon as it is resumed. */
  readonly isUnwanted: boolean;
}

/** Makes one attempt of a step, from its announcement to its captured output. Rejects only with `RunLost`. */
export async function makeAttempt(
  around: StepSurroundings,
  task: NodeTask,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { open, attempt } = options;
  if (open === undefined) {
    await around.turnstile.pass();
    failPoint('attempt.announced');
    around.emit({ type: 'step.started', node: task.node, attempt, dir: attemptDir(task.node, attempt) });
  }
  const ending = new AttemptEnding(around, task.step, timeFrom(around, task.step, open));
  options.running.set(ending.end, task.step);
  try {
    return open === undefined
      ? await runAttempt(around, task, options, ending)
      : await goOn(around, task, { ...options, open }, ending);
  } finally {
    ending.dispose();
    options.running.delete(ending.end);
  }
}

/**
 * Returns when the time of the attempt started, in epoch milliseconds. On a worker it starts when the worker has the
 * attempt.
 */
function timeFrom(around: StepSurroundings, step: Step, open: OpenNode | undefined): number | undefined {
  if (around.remote.selectorOf(step) !== undefined) return open?.attempt.worker?.since;
  return open?.attempt.startedAt ?? around.clock.now();
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
    // A host that has lost the run may have created it without knowing; the start fence decides which host starts the
    // attempt.
    mkdirSync(place, { mode: 0o700, recursive: true });
    start = await prepare(around, task, options, ending);
  } catch (thrown) {
    return ending.explain({ error: messageOf(thrown) });
  }
  failPoint('attempt.prepared');
  await around.durable();
  if (around.stopping.aborted) ending.end('stop');
  if (ending.isWanted) return ending.explain({});
  failPoint('attempt.before_spawn');
  const result = await ending.awaitEnd(start());
  failPoint('attempt.ended');
  const explained = await withFiles(around, task, place, { ending, result: ending.explain(result) });
  return withOutput(around, task.step, place, explained);
}

/**
 * Resumes an attempt that another host has started. If that host has not even started it, it does not count as one,
 * whatever its time.
 */
async function goOn(
  around: StepSurroundings,
  task: NodeTask,
  options: AttemptOptions & { readonly open: OpenNode },
  ending: AttemptEnding,
): Promise<AttemptResult> {
  let running: RunningStep;
  try {
    const onBegun = (): void => ending.beginTime(around.clock.now());
    running = await takeUp(around, task, { ...options, signal: ending.signal, onBegun });
  } catch (thrown) {
    return ending.explain({ error: messageOf(thrown) });
  }
  const ended = ending.awaitEnd(running);
  if (options.isUnwanted) ending.end('stop');
  const result = await ended;
  if (result.unstarted === true && !ending.isStopped) return result;
  const place = path.join(around.runDir, options.open.attempt.dir);
  const explained = await withFiles(around, task, place, { ending, result: ending.explain(result) });
  return withOutput(around, task.step, place, explained);
}

/** Stores the artifacts of a local attempt; a worker stores its own. */
async function withFiles(
  around: StepSurroundings,
  { step, node, outputs, extra }: NodeTask,
  place: string,
  { ending, result }: { readonly ending: AttemptEnding; readonly result: AttemptResult },
): Promise<AttemptResult> {
  if (step.outputFiles === undefined || around.remote.selectorOf(step) !== undefined) return result;
  try {
    const specials = stepSpecials(node, place, around.scope.workingDir);
    const environment = await around.scope.stepEnvironment(step.env, outputs, { ...extra, ...specials });
    const folder = await around.scope.stepFolder(step, environment);
    return await keepLocalOutputs(around, step, folder, result, ending.signal);
  } catch (thrown) {
    if (ending.isWanted && result.cause === undefined) return ending.explain(result);
    return { ...result, error: result.error ?? messageOf(thrown) };
  }
}

/** Does everything that can fail before something runs. */
async function prepare(
  around: StepSurroundings,
  task: NodeTask,
  { attempt, kept }: AttemptOptions,
  ending: AttemptEnding,
): Promise<() => RunningStep> {
  const { signal } = ending;
  const dir = attemptDir(task.node, attempt);
  const place = { attempt, signal, path: path.join(around.runDir, dir) };
  const onBegun = (): void => ending.beginTime(around.clock.now());
  if (!isParallel(task) && around.remote.selectorOf(task.step) !== undefined)
    return around.remote.prepare(around, task, { ...place, onBegun });
  const context = await buildContext(around, task, place);
  if (around.remote.selectorOf(task.step) === undefined)
    await fetchLocalInputs(around, task.step, context.workingDir);
  if (!isParallel(task)) return () => startAction(context);
  return () => new ItemsAttempt(around, task, { attempt, signal, dir, context, onBegun }, kept).begin();
}

/** Returns the result of an attempt of an earlier host, including its output; its log may be deleted. */
export function recallResult(
  around: StepSurroundings,
  { step }: Pick<NodeTask, 'step'>,
  { dir, exitCode, signal, error }: AttemptRecord,
): AttemptResult {
  const end = { exitCode, signal, error };
  const { captured } = withOutput(around, step, path.join(around.runDir, dir), end);
  if (captured === undefined || (step.action.kind !== 'dag' && step.parallel === undefined))
    return { ...end, captured };
  return { ...end, captured: { name: captured.name, value: readResult(captured.value) } };
}

/** Parses the log of a sub-run or of items, which is their result as JSON. */
function readResult(text: JsonValue): JsonValue {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Adds the captured `output`, also after a failure; an output that is too large fails the attempt. */
function withOutput(
  { workflow }: StepSurroundings,
  step: Step,
  place: string,
  result: AttemptResult,
): AttemptResult {
  const name = step.output;
  if (name === undefined) return result;
  if (result.stdout !== undefined) return { ...result, captured: { name, value: result.stdout } };
  if (result.output !== undefined) return withResult(result, { name, value: result.output }, workflow);
  try {
    const output = captureOutput(path.join(place, attemptFiles.stdout), workflow.maxOutputSize);
    failPoint('attempt.captured');
    return 'value' in output
      ? { ...result, captured: { name, value: output.value } }
      : { ...result, error: result.error ?? output.error };
  } catch (thrown) {
    return { ...result, error: result.error ?? `cannot read the output: ${messageOf(thrown)}` };
  }
}

/** Adds the result of a sub-run or of items, which has the same limit as a string. */
function withResult(
  result: AttemptResult,
  captured: NamedOutput,
  { maxOutputSize }: StepSurroundings['workflow'],
): AttemptResult {
  const size = Buffer.byteLength(JSON.stringify(captured.value));
  if (size <= maxOutputSize) return { ...result, captured };
  return { ...result, error: result.error ?? describeOversize(size, maxOutputSize) };
}
