import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { getErrorMessage } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ExecutorResult, RunningStep, StepContext } from '../../executors/executor.ts';
import { startAction } from '../../executors/registry.ts';
import { withStepOutput, type StepOutput } from '../../executors/step-output.ts';
import { attemptFiles, hasSucceeded } from '../../model/run.ts';
import { captureOutput } from '../values/outputs.ts';
import { StartedItems, toLabel } from './started-items.ts';
import { type OpenNode, hasFailed, type NodeTask } from './node-task.ts';
import { buildContext, itemDir, type StepRunContext } from './step-context.ts';
import { planItems, type ParallelStep, type PlannedItem } from './plan-items.ts';

/** A node whose step has items. */
export type ParallelTask = NodeTask & { readonly step: ParallelStep };

export const isParallel = (task: NodeTask): task is ParallelTask => task.step.parallel !== undefined;

/** The attempt that runs the items. */
export interface ItemsLocation {
  readonly attempt: number;
  /** Aborted when the attempt has to end. */
  readonly signal: AbortSignal;
  /** Relative to the run's directory. */
  readonly dir: string;
  readonly context: StepContext;
  /** Called when a worker has the first of the items. */
  onStarted(): void;
  /** State of the attempt on another host, if it has started there. */
  readonly open?: OpenNode;
}

/**
 * State of an attempt with items.
 *
 *   running ──stop──▶ ending (stop) ──kill──▶ ending (kill)
 *      └────────────────kill───────────────────────▲
 *
 * - running: items start, as many at a time as allowed
 * - ending, by stop or kill: no item starts, and those that run are ended, as are those that were about to start and
 *   those that run on another host
 */
export type ItemsState =
  | { readonly phase: 'running' }
  | { readonly phase: 'ending'; readonly how: 'stop' | 'kill' };

export interface ItemsEvent {
  readonly type: 'stop' | 'kill';
}

/** Returns the state after an event; undefined when the event does not apply to the state. */
export function transition(state: ItemsState, { type }: ItemsEvent): ItemsState | undefined {
  // A stop can be repeated, for items that have not ended yet, and does not weaken a kill.
  if (type === 'stop' && state.phase === 'ending' && state.how === 'kill') return undefined;
  return { phase: 'ending', how: type };
}

/**
 * Runs a step once for each item of `parallel`, at most `maxConcurrent` at a time. A failed item does not stop the
 * others. The attempt's stdout is the result as JSON.
 */
export class ItemsAttempt {
  readonly #context: StepRunContext;
  readonly #task: ParallelTask;
  readonly #location: ItemsLocation;
  readonly #completedItems: CompletedItems;
  readonly #running = new Set<RunningStep>();
  readonly #started: StartedItems;
  #state: ItemsState = { phase: 'running' };
  #collected = 0;

  constructor(
    context: StepRunContext,
    task: ParallelTask,
    location: ItemsLocation,
    completedItems: CompletedItems,
  ) {
    this.#context = context;
    this.#task = task;
    this.#location = location;
    this.#completedItems = completedItems;
    this.#started = new StartedItems(context, task.step, location.open);
  }

  begin(): RunningStep {
    const ended = withStepOutput(this.#location.context, (output) => this.#run(output));
    return {
      ended,
      stop: () => this.#send({ type: 'stop' }),
      kill: () => this.#send({ type: 'kill' }),
    };
  }

  /** Changes the state, and ends the running items in the state `ending`. */
  #send(event: ItemsEvent): void {
    const after = transition(this.#state, event);
    if (after === undefined) return;
    this.#state = after;
    for (const action of this.#running) this.#endIfEnding(action);
  }

  #endIfEnding(action: RunningStep): void {
    if (this.#state.phase === 'ending') action[this.#state.how]();
  }

  /** Whether an item may start. One that another host has started is followed to its end in any case. */
  #mayStart(item: PlannedItem): boolean {
    return this.#state.phase === 'running' || this.#started.isRunning(item.number);
  }

  async #run(output: StepOutput): Promise<ExecutorResult> {
    const items = await planItems(this.#task.step, this.#expand);
    const changed = await this.#started.findChanged(items);
    if (changed !== undefined) return { error: changed };
    const done = await this.#runAll(items, output);
    const result = this.#context.scope.maskSecrets(toResultObject(items, done));
    output.stdout(`${JSON.stringify(result, undefined, 2)}\n`);
    return { ...judge(items, done), output: result };
  }

  readonly #expand = (text: string, item?: string): Promise<string> => {
    const { context, signal } = this.#location;
    const { env } = context;
    return this.#context.scope.until(signal).expand(text, item === undefined ? env : { ...env, ITEM: item });
  };

  async #runAll(items: readonly PlannedItem[], output: StepOutput): Promise<(CompletedItem | undefined)[]> {
    const done = items.map((item) => this.#findCompleted(item));
    // Those that ended in this attempt, before another host recovered it, are counted by their own events.
    const isReused = (end: CompletedItem | undefined, index: number): boolean =>
      end !== undefined && !this.#started.hasEnded(items[index]!.number);
    const reused = done.filter(isReused).length;
    const counts = { total: items.length - reused, ...(reused > 0 && { reused }) };
    await this.#started.mirrorLogs();
    for (const { number } of items)
      done[number - 1] ??= this.#started.findEnd(number, (dir) => this.#capture(dir));
    const open = items.filter((_, index) => done[index] === undefined);
    const queue = this.#started.runningFirst(open).values();
    const worker = async (): Promise<void> => {
      for (const item of queue) {
        await this.#context.startLimiter.acquire();
        if (!this.#mayStart(item)) return;
        const end = await this.#runItem(item, counts, output);
        done[item.number - 1] = end;
        if (end.status === 'succeeded') this.#completedItems.set(itemKey(item), end);
      }
    };
    const { maxConcurrent } = this.#task.step.parallel;
    await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, worker));
    return done;
  }

  #findCompleted(item: PlannedItem): CompletedItem | undefined {
    const completedItems = this.#completedItems.get(itemKey(item));
    return completedItems !== undefined && item.isSame(completedItems) ? completedItems : undefined;
  }

  async #runItem(
    item: PlannedItem,
    counts: { readonly total: number; readonly reused?: number },
    output: StepOutput,
  ): Promise<CompletedItem> {
    const { emit } = this.#context;
    const { node } = this.#task;
    const { attempt } = this.#location;
    const dir = itemDir(this.#location.dir, item.number);
    const label = toLabel(this.#context.scope.maskSecrets(item.text));
    const isRecorded = this.#started.hasEnded(item.number);
    if (!isRecorded && !this.#started.isRunning(item.number))
      emit({ type: 'step.item_started', node, attempt, item: item.number, ...counts, value: label, dir });
    const end = await this.#start(item, path.join(this.#context.runDir, dir));
    failPoint('item.ended');
    const done = this.#finish(end, path.join(this.#context.runDir, dir));
    if (isRecorded) return done;
    const { status } = done;
    const { exitCode, signal, error } = end;
    emit({ type: 'step.item_finished', node, attempt, item: item.number, status, exitCode, signal, error });
    const reason = error === undefined ? '' : `: ${error}`;
    output.stderr(`item ${item.number} (${label}) ${status}${reason}\n`);
    return done;
  }

  async #start(item: PlannedItem, attemptDir: string): Promise<ExecutorResult> {
    const adopted = this.#started.adoptAttempt(item.number, attemptDir);
    const end = adopted && (await this.#follow(adopted));
    if (end !== undefined && end.unstarted !== true) return end;
    let running: RunningStep | undefined;
    try {
      running = await this.#prepare(item, attemptDir);
    } catch (error) {
      return { error: getErrorMessage(error) };
    }
    return running === undefined ? { error: 'stopped before the item started' } : this.#follow(running);
  }

  /** Starts an item; undefined when it is no longer requested. */
  async #prepare(item: PlannedItem, attemptDir: string): Promise<RunningStep | undefined> {
    const { attempt, signal, onStarted } = this.#location;
    if (this.#context.remote.getSelector(this.#task.step) !== undefined) {
      mkdirSync(attemptDir, { mode: 0o700, recursive: true });
      const known = this.#started.getWorker(item.number);
      const remoteAttempt = { attempt, signal, path: attemptDir, item, known, onStarted };
      const start = await this.#context.remote.prepare(this.#context, this.#task, remoteAttempt);
      await this.#context.durable();
      return this.#mayStart(item) ? start() : undefined;
    }
    const since = this.#started.since(item.number);
    // An item that another host has announced has a directory, and at most the log of an unrecorded end.
    if (since !== undefined) rmSync(path.join(attemptDir, attemptFiles.stdout), { force: true });
    mkdirSync(attemptDir, { mode: 0o700, recursive: true });
    const context = await buildContext(this.#context, this.#task, {
      attempt,
      signal,
      path: attemptDir,
      item,
      since,
    });
    await this.#context.durable();
    if (this.#state.phase === 'ending') return undefined;
    failPoint('item.before_spawn');
    return startAction(item.adapt(context));
  }

  async #follow(running: RunningStep): Promise<ExecutorResult> {
    this.#running.add(running);
    this.#endIfEnding(running);
    try {
      return await running.ended;
    } finally {
      this.#running.delete(running);
    }
  }

  #finish(result: ExecutorResult, attemptDir: string): CompletedItem {
    const output = result.output ?? this.#keep(result.stdout) ?? this.#capture(attemptDir);
    if (!hasFailed(result))
      return { status: result.partial === true ? 'partially_succeeded' : 'succeeded', end: result, output };
    return { status: this.#state.phase === 'ending' ? 'aborted' : 'failed', end: result, output };
  }

  /** Returns a string while the output limit allows it. */
  #keep(text: string | undefined): string | undefined {
    const size = Buffer.byteLength(text ?? '');
    if (text === undefined || this.#collected + size > this.#context.workflow.maxOutputSize) return undefined;
    this.#collected += size;
    return text;
  }

  /** Returns the output of an item while all outputs together are within `maxOutputSize`. */
  #capture(attemptDir: string): string | undefined {
    try {
      const remaining = this.#context.workflow.maxOutputSize - this.#collected;
      const captured = captureOutput(path.join(attemptDir, attemptFiles.stdout), remaining);
      return 'value' in captured ? this.#keep(captured.value) : undefined;
    } catch {
      // The item was never started, or its log is deleted: its end has the error.
      return undefined;
    }
  }
}

/** Builds `{summary, results, outputs}`; `outputs` are those of the successful items. */
function toResultObject(
  items: readonly PlannedItem[],
  done: readonly (CompletedItem | undefined)[],
): JsonObject {
  const succeeded = done.filter(
    (completed): completed is CompletedItem => completed !== undefined && hasSucceeded(completed.status),
  );
  const results = items.map((item, index) => item.toResult(done[index]));
  return {
    summary: {
      total: items.length,
      succeeded: succeeded.length,
      failed: items.length - succeeded.length,
    },
    results,
    outputs: succeeded.map(({ output }) => getOutputs(output)),
  };
}

/** Returns a sub-run's own outputs, or the output string of a command. */
function getOutputs(output: JsonValue | undefined): JsonValue {
  if (output === null || typeof output !== 'object' || Array.isArray(output)) return output ?? '';
  return output['outputs'] ?? {};
}

function judge(items: readonly PlannedItem[], done: readonly (CompletedItem | undefined)[]): ExecutorResult {
  const unsuccessful = items.filter((_, index) => !done[index] || !hasSucceeded(done[index].status));
  const [first] = unsuccessful;
  if (first === undefined)
    return done.some((completed) => completed!.status === 'partially_succeeded') ? { partial: true } : {};
  const end = done[first.number - 1]?.end;
  const cause =
    end === undefined ? 'was not started' : (end.error ?? end.signal ?? `exit code ${end.exitCode}`);
  return {
    exitCode: end?.exitCode,
    error: `${unsuccessful.length} of ${items.length} items failed; item ${first.number} (${toLabel(first.text)}): ${cause}`,
  };
}

/** An item of `parallel` that has ended. */
export interface CompletedItem {
  readonly status: 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted';
  readonly end: ExecutorResult;
  /** The result of a sub-run, or the output of a command; absent when it was too large. */
  readonly output?: JsonValue;
}

/** Items that need not run again, by {@link itemKey}, because earlier attempts have completed them. */
export type CompletedItems = Map<string, CompletedItem>;

/** Identifies the same item in a later attempt. */
export const itemKey = ({ number, text }: { number: number; text: string }): string => `${number}:${text}`;
