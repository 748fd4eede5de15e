import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { getErrorMessage } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { RunningStep } from '../../executors/executor.ts';
import { startAction } from '../../executors/registry.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { JsonValue } from '../../base/json.ts';
import { attemptFiles, type AttemptRecord } from '../../model/run.ts';
import type { Step } from '../../model/step.ts';
import { attemptDir } from '../../store/run-logs.ts';
import { isHostsAction } from '../../model/workflow-rules.ts';
import { specialStepVariables } from '../values/run-scope.ts';
import { captureOutput, formatOversize } from '../values/outputs.ts';
import { fetchLocalInputs, saveLocalOutputs } from '../remote/task-files.ts';
import { type CompletedItems, isParallel, ItemsAttempt } from './items-attempt.ts';
import { AttemptTerminator, type EndAttempt } from './attempt-terminator.ts';
import {
  hasFailed,
  type AttemptResult,
  type NamedOutput,
  type NodeTask,
  type OpenNode,
} from './node-task.ts';
import { buildContext, type StepRunContext } from './step-context.ts';
import { adoptAction } from './started-items.ts';

/** Input of an attempt in addition to its task. */
interface AttemptOptions {
  readonly attempt: number;
  /** Items that earlier attempts have completed; grows. */
  readonly completedItems: CompletedItems;
  /** Running attempts, so that the run can end them. */
  readonly running: Map<EndAttempt, Step>;
  /** State of an attempt that was running when its host was lost; it is resumed. */
  readonly open?: OpenNode | undefined;
}

/** Makes one attempt of a step, from its announcement to its captured output. Rejects only with `RunLost`. */
export async function makeAttempt(
  context: StepRunContext,
  task: NodeTask,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { open, attempt } = options;
  if (open === undefined) {
    await context.startLimiter.acquire();
    failPoint('attempt.announced');
    context.emit({ type: 'step.started', node: task.node, attempt, dir: attemptDir(task.node, attempt) });
  }
  const terminator = new AttemptTerminator(context, task.step, timeFrom(context, task.step, open));
  options.running.set(terminator.end, task.step);
  try {
    return open === undefined
      ? await runAttempt(context, task, options, terminator)
      : await continueAttempt(context, task, { ...options, open }, terminator);
  } finally {
    terminator.dispose();
    options.running.delete(terminator.end);
  }
}

/**
 * Returns when the time of the attempt started, in epoch milliseconds. On a worker it starts when the worker has the
 * attempt.
 */
function timeFrom(context: StepRunContext, step: Step, open: OpenNode | undefined): number | undefined {
  if (context.remote.getSelector(step) !== undefined) return open?.attempt.worker?.since;
  return open?.attempt.startedAt ?? context.clock.now();
}

async function runAttempt(
  context: StepRunContext,
  task: NodeTask,
  options: AttemptOptions,
  terminator: AttemptTerminator,
): Promise<AttemptResult> {
  const location = path.join(context.runDir, attemptDir(task.node, options.attempt));
  let start: () => RunningStep;
  try {
    // A host that has lost the run may have created it without knowing; the start fence decides which host starts the
    // attempt.
    mkdirSync(location, { mode: 0o700, recursive: true });
    start = await prepare(context, task, options, terminator);
  } catch (error) {
    return terminator.explain({ error: getErrorMessage(error) });
  }
  failPoint('attempt.prepared');
  await context.durable();
  if (context.stopping.aborted) terminator.end('stop');
  if (terminator.isEnding) return terminator.explain({});
  failPoint('attempt.before_spawn');
  const result = await terminator.awaitEnd(start());
  failPoint('attempt.ended');
  const withArtifacts = await withFiles(context, task, location, {
    ending: terminator,
    result: terminator.explain(result),
  });
  return withOutput(context, task.step, location, withArtifacts);
}

/**
 * Resumes an attempt that another host has started. If that host has not even started it, it does not count as one,
 * whatever its time.
 */
async function continueAttempt(
  context: StepRunContext,
  task: NodeTask,
  options: AttemptOptions & { readonly open: OpenNode },
  terminator: AttemptTerminator,
): Promise<AttemptResult> {
  let running: RunningStep;
  try {
    const onStarted = (): void => terminator.startTimer(context.clock.now());
    running = await adoptAttempt(context, task, { ...options, signal: terminator.signal, onStarted });
  } catch (error) {
    return terminator.explain({ error: getErrorMessage(error) });
  }
  const executorResult = terminator.awaitEnd(running);
  if (context.endsEarly(task.step)) terminator.end('stop');
  const result = await executorResult;
  if (result.unstarted === true && !terminator.isStopped) return result;
  const location = path.join(context.runDir, options.open.attempt.dir);
  const withArtifacts = await withFiles(context, task, location, {
    ending: terminator,
    result: terminator.explain(result),
  });
  return withOutput(context, task.step, location, withArtifacts);
}

/** Stores the artifacts of a local attempt; a worker stores its own. */
async function withFiles(
  context: StepRunContext,
  { step, node, outputs, extra }: NodeTask,
  location: string,
  { ending: terminator, result }: { readonly ending: AttemptTerminator; readonly result: AttemptResult },
): Promise<AttemptResult> {
  if (step.outputFiles === undefined || context.remote.getSelector(step) !== undefined) return result;
  try {
    const specials = specialStepVariables(node, location, context.scope.workingDir);
    const environment = await context.scope.stepEnvironment(step.env, outputs, { ...extra, ...specials });
    const folder = await context.scope.stepFolder(step, environment);
    if (hasFailed(result) || result.cause !== undefined) return result;
    return await saveLocalOutputs(context, step, folder, result, terminator.signal);
  } catch (error) {
    if (terminator.isEnding && result.cause === undefined) return terminator.explain(result);
    return { ...result, error: result.error ?? getErrorMessage(error) };
  }
}

/** Does everything that can fail before something runs. */
async function prepare(
  runContext: StepRunContext,
  task: NodeTask,
  { attempt, completedItems }: AttemptOptions,
  terminator: AttemptTerminator,
): Promise<() => RunningStep> {
  const { signal } = terminator;
  const dir = attemptDir(task.node, attempt);
  const location = { attempt, signal, path: path.join(runContext.runDir, dir) };
  const onStarted = (): void => terminator.startTimer(runContext.clock.now());
  if (!isParallel(task) && runContext.remote.getSelector(task.step) !== undefined)
    return runContext.remote.prepare(runContext, task, { ...location, onStarted });
  const context = await buildContext(runContext, task, location);
  if (runContext.remote.getSelector(task.step) === undefined)
    await fetchLocalInputs(runContext, task.step, context.workingDir);
  if (!isParallel(task)) return () => startAction(context);
  return () =>
    new ItemsAttempt(runContext, task, { attempt, signal, dir, context, onStarted }, completedItems).begin();
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
  location: string,
  result: AttemptResult,
): AttemptResult {
  const name = step.output;
  if (name === undefined) return result;
  if (result.stdout !== undefined) return { ...result, captured: { name, value: result.stdout } };
  if (result.output !== undefined) return withResult(result, { name, value: result.output }, workflow);
  try {
    const output = captureOutput(path.join(location, attemptFiles.stdout), workflow.maxOutputSize);
    failPoint('attempt.captured');
    return 'value' in output
      ? { ...result, captured: { name, value: output.value } }
      : { ...result, error: result.error ?? output.error };
  } catch (error) {
    return { ...result, error: result.error ?? `cannot read the output: ${getErrorMessage(error)}` };
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
  return { ...result, error: result.error ?? formatOversize(size, maxOutputSize) };
}

/** An attempt that another host has started, and what resuming it needs. */
export interface AdoptedAttempt extends Pick<AttemptOptions, 'attempt' | 'completedItems'> {
  readonly open: OpenNode;
  readonly signal: AbortSignal;
  /** Called when the time of an attempt on a worker starts. */
  onStarted(): void;
}

/** Resumes what another host has started. Rejects when a value that it needs cannot be resolved. */
async function adoptAttempt(
  runContext: StepRunContext,
  task: NodeTask,
  { attempt, completedItems, open, signal, onStarted }: AdoptedAttempt,
): Promise<RunningStep> {
  const { dir, startedAt } = open.attempt;
  const attemptPath = path.join(runContext.runDir, dir);
  const hasItems = isParallel(task);
  if (!hasItems && runContext.remote.getSelector(task.step) !== undefined) {
    const known = open.attempt.worker;
    const start = await runContext.remote.prepare(runContext, task, {
      attempt,
      signal,
      path: attemptPath,
      known,
      onStarted,
    });
    // Nothing is offered for a run that another host owns.
    await runContext.durable();
    return start();
  }
  if (!hasItems && !isHostsAction(task.step.action)) {
    return adoptAction(runContext, task.step, {
      attemptPath,
      process: open.attempt,
      isSameBoot: open.isSameBoot,
    });
  }
  prepareFolder(attemptPath);
  const context = await buildContext(runContext, task, {
    attempt,
    signal,
    path: attemptPath,
    since: { at: startedAt },
  });
  if (!hasItems) return startAction(context);
  return new ItemsAttempt(
    runContext,
    task,
    { attempt, signal, dir, context, open, onStarted },
    completedItems,
  ).begin();
}

/** Deletes the result of an unrecorded end. The result of a sub-run, a question or items is written at their end. */
function prepareFolder(attemptPath: string): void {
  mkdirSync(attemptPath, { recursive: true, mode: 0o700 });
  rmSync(path.join(attemptPath, attemptFiles.stdout), { force: true });
}

/**
 * Lets a few callers through per event-loop tick. Starting a process blocks the loop for about a millisecond, so a
 * thousand ready steps at once would freeze everything else.
 */
export class StartLimiter {
  readonly #clock: Clock;
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #acquired = 0;

  constructor(clock: Clock, perTurn: number) {
    this.#clock = clock;
    this.#perTurn = perTurn;
  }

  /** Resolves when it is the caller's turn, in order of the calls. */
  acquire(): Promise<void> {
    if (this.#acquired === 0) this.#clock.soon(() => this.#nextTick());
    if (this.#acquired < this.#perTurn) {
      this.#acquired += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #nextTick(): void {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#acquired = next.length;
    if (next.length > 0) this.#clock.soon(() => this.#nextTick());
    for (const resolve of next) resolve();
  }
}
