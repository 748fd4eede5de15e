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
import { attemptDir } from '../retention/log-places.ts';
import { stepSpecials } from '../values/run-scope.ts';
import { captureOutput, describeOversize } from '../values/outputs.ts';
import type { CompletedItems } from './completed-item.ts';
import { isParallel, ItemsAttempt } from './items-attempt.ts';
import { AttemptTerminator, type EndAttempt } from './attempt-terminator.ts';
import type { AttemptResult, NamedOutput, NodeTask } from './node-task.ts';
import { fetchLocalInputs, saveLocalOutputs } from './local-files.ts';
import type { OpenNode } from './open-node.ts';
import { buildContext, type StepRunContext } from './step-context.ts';
import { adoptAttempt } from './adopt-attempt.ts';

/** Input of an attempt in addition to its task. */
export interface AttemptOptions {
  readonly attempt: number;
  /** Items that earlier attempts have completed; grows. */
  readonly completedItems: CompletedItems;
  /** Running attempts, so that the run can end them. */
  readonly running: Map<EndAttempt, Step>;
  /** State of an attempt that was running when its host was lost; it is resumed. */
  readonly open?: OpenNode | undefined;
  /** Whether to end the attempt as soon as it is resumed. */
  readonly isCancelled: boolean;
}

/** Makes one attempt of a step, from its announcement to its captured output. Rejects only with `RunLost`. */
export async function makeAttempt(
  context: StepRunContext,
  task: NodeTask,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { open, attempt } = options;
  if (open === undefined) {
    await context.startLimiter.pass();
    failPoint('attempt.announced');
    context.emit({ type: 'step.started', node: task.node, attempt, dir: attemptDir(task.node, attempt) });
  }
  const ending = new AttemptTerminator(context, task.step, timeFrom(context, task.step, open));
  options.running.set(ending.end, task.step);
  try {
    return open === undefined
      ? await runAttempt(context, task, options, ending)
      : await goOn(context, task, { ...options, open }, ending);
  } finally {
    ending.dispose();
    options.running.delete(ending.end);
  }
}

/**
 * Returns when the time of the attempt started, in epoch milliseconds. On a worker it starts when the worker has the
 * attempt.
 */
function timeFrom(context: StepRunContext, step: Step, open: OpenNode | undefined): number | undefined {
  if (context.remote.selectorOf(step) !== undefined) return open?.attempt.worker?.since;
  return open?.attempt.startedAt ?? context.clock.now();
}

async function runAttempt(
  context: StepRunContext,
  task: NodeTask,
  options: AttemptOptions,
  ending: AttemptTerminator,
): Promise<AttemptResult> {
  const place = path.join(context.runDir, attemptDir(task.node, options.attempt));
  let start: () => RunningStep;
  try {
    // A host that has lost the run may have created it without knowing; the start fence decides which host starts the
    // attempt.
    mkdirSync(place, { mode: 0o700, recursive: true });
    start = await prepare(context, task, options, ending);
  } catch (error) {
    return ending.explain({ error: messageOf(error) });
  }
  failPoint('attempt.prepared');
  await context.durable();
  if (context.stopping.aborted) ending.end('stop');
  if (ending.isEnding) return ending.explain({});
  failPoint('attempt.before_spawn');
  const result = await ending.awaitEnd(start());
  failPoint('attempt.ended');
  const explained = await withFiles(context, task, place, { ending, result: ending.explain(result) });
  return withOutput(context, task.step, place, explained);
}

/**
 * Resumes an attempt that another host has started. If that host has not even started it, it does not count as one,
 * whatever its time.
 */
async function goOn(
  context: StepRunContext,
  task: NodeTask,
  options: AttemptOptions & { readonly open: OpenNode },
  ending: AttemptTerminator,
): Promise<AttemptResult> {
  let running: RunningStep;
  try {
    const onStarted = (): void => ending.beginTime(context.clock.now());
    running = await adoptAttempt(context, task, { ...options, signal: ending.signal, onStarted });
  } catch (error) {
    return ending.explain({ error: messageOf(error) });
  }
  const ended = ending.awaitEnd(running);
  if (options.isCancelled) ending.end('stop');
  const result = await ended;
  if (result.unstarted === true && !ending.isStopped) return result;
  const place = path.join(context.runDir, options.open.attempt.dir);
  const explained = await withFiles(context, task, place, { ending, result: ending.explain(result) });
  return withOutput(context, task.step, place, explained);
}

/** Stores the artifacts of a local attempt; a worker stores its own. */
async function withFiles(
  context: StepRunContext,
  { step, node, outputs, extra }: NodeTask,
  place: string,
  { ending, result }: { readonly ending: AttemptTerminator; readonly result: AttemptResult },
): Promise<AttemptResult> {
  if (step.outputFiles === undefined || context.remote.selectorOf(step) !== undefined) return result;
  try {
    const specials = stepSpecials(node, place, context.scope.workingDir);
    const environment = await context.scope.stepEnvironment(step.env, outputs, { ...extra, ...specials });
    const folder = await context.scope.stepFolder(step, environment);
    return await saveLocalOutputs(context, step, folder, result, ending.signal);
  } catch (error) {
    if (ending.isEnding && result.cause === undefined) return ending.explain(result);
    return { ...result, error: result.error ?? messageOf(error) };
  }
}

/** Does everything that can fail before something runs. */
async function prepare(
  surrounding: StepRunContext,
  task: NodeTask,
  { attempt, completedItems }: AttemptOptions,
  ending: AttemptTerminator,
): Promise<() => RunningStep> {
  const { signal } = ending;
  const dir = attemptDir(task.node, attempt);
  const place = { attempt, signal, path: path.join(surrounding.runDir, dir) };
  const onStarted = (): void => ending.beginTime(surrounding.clock.now());
  if (!isParallel(task) && surrounding.remote.selectorOf(task.step) !== undefined)
    return surrounding.remote.prepare(surrounding, task, { ...place, onStarted });
  const context = await buildContext(surrounding, task, place);
  if (surrounding.remote.selectorOf(task.step) === undefined)
    await fetchLocalInputs(surrounding, task.step, context.workingDir);
  if (!isParallel(task)) return () => startAction(context);
  return () =>
    new ItemsAttempt(surrounding, task, { attempt, signal, dir, context, onStarted }, completedItems).begin();
}

/** Returns the result of an attempt of an earlier host, including its output; its log may be deleted. */
export function loadPreviousResult(
  context: StepRunContext,
  { step }: Pick<NodeTask, 'step'>,
  { dir, exitCode, signal, error }: AttemptRecord,
): AttemptResult {
  const end = { exitCode, signal, error };
  const { captured } = withOutput(context, step, path.join(context.runDir, dir), end);
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
  { workflow }: StepRunContext,
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
  } catch (error) {
    return { ...result, error: result.error ?? `cannot read the output: ${messageOf(error)}` };
  }
}

/** Adds the result of a sub-run or of items, which has the same limit as a string. */
function withResult(
  result: AttemptResult,
  captured: NamedOutput,
  { maxOutputSize }: StepRunContext['workflow'],
): AttemptResult {
  const size = Buffer.byteLength(JSON.stringify(captured.value));
  if (size <= maxOutputSize) return { ...result, captured };
  return { ...result, error: result.error ?? describeOversize(size, maxOutputSize) };
}
