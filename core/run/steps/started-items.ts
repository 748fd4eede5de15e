import path from 'node:path';
import { truncate } from '../../base/text.ts';
import type { RunningStep, ExecutorResult } from '../../executors/executor.ts';
import type { ItemRecord, WorkerAssignment, AttemptRecord } from '../../model/run.ts';
import {
  killOrphanedProcess,
  engineLostPrefix,
  claimStart,
  lostResult,
  neverStartedResult,
  reattach,
  type OrphanedProcess,
} from '../../executors/reattach.ts';
import type { Step } from '../../model/step.ts';
import { parseSignal } from '../../process/kill.ts';
import type { CompletedItem } from './items-attempt.ts';
import type { OpenNode } from './node-task.ts';
import type { ParallelStep, PlannedItem } from './plan-items.ts';
import type { PriorStart, StepRunContext } from './step-context.ts';

/** The items of an attempt that another host has started; empty for a new attempt. */
export class StartedItems {
  readonly #context: StepRunContext;
  readonly #step: ParallelStep;
  readonly #open: OpenNode | undefined;
  readonly #records: ReadonlyMap<number, ItemRecord>;

  constructor(context: StepRunContext, step: ParallelStep, open: OpenNode | undefined) {
    this.#context = context;
    this.#step = step;
    this.#open = open;
    this.#records = new Map(open?.items.map((record) => [record.item, record]));
  }

  /**
   * Returns why the attempt cannot be resumed, when a started item differs from its current definition; ends its
   * running items then.
   */
  async findChanged(items: readonly PlannedItem[]): Promise<string | undefined> {
    const byNumber = new Map(items.map((item) => [item.number, item]));
    for (const { item, value } of this.#records.values()) {
      const now = byNumber.get(item)?.text;
      if (now !== undefined && toLabel(this.#context.scope.maskSecrets(now)) === value) continue;
      await this.#endAll();
      return `${engineLostPrefix}: item ${item} was ${JSON.stringify(value)} and is now ${now === undefined ? 'missing' : JSON.stringify(toLabel(now))}`;
    }
    return undefined;
  }

  /**
   * Returns how an item ended there. For sub-workflows, started or ended, the results of their runs are read instead.
   */
  findEnd(number: number, capture: (attemptPath: string) => string | undefined): CompletedItem | undefined {
    const record = this.#records.get(number);
    if (record === undefined || record.status === 'running') return undefined;
    if (record.subRun !== undefined) return undefined;
    const { status, exitCode, signal, error } = record;
    return { status, end: { exitCode, signal, error }, output: capture(this.#getAttemptPath(record)) };
  }

  /** Returns the items to run, running ones first. */
  runningFirst(items: readonly PlannedItem[]): PlannedItem[] {
    const running = items.filter(({ number }) => this.#records.has(number));
    return [...running, ...items.filter(({ number }) => !this.#records.has(number))];
  }

  /** Whether its start is recorded and its end is not. */
  isRunning(number: number): boolean {
    return this.#records.get(number)?.status === 'running';
  }

  /** Whether its end is recorded. */
  hasEnded(number: number): boolean {
    return this.#records.has(number) && !this.isRunning(number);
  }

  /** Returns its process, its end, or that it was never started; undefined for a new item and for sub-workflows. */
  adoptAttempt(number: number, attemptPath: string): RunningStep | undefined {
    if (!this.isRunning(number) || this.#step.action.kind === 'dag' || this.#isRemote) return undefined;
    return adoptAction(this.#context, this.#step, this.#orphanAt(attemptPath));
  }

  /** Returns the worker that has the item, when the handover is recorded. */
  getWorker(number: number): WorkerAssignment | undefined {
    return this.#records.get(number)?.worker;
  }

  /** Copies the logs of workers to this machine. */
  async mirrorLogs(): Promise<void> {
    const remoteItems = [...this.#records.values()].filter(({ worker }) => worker !== undefined);
    await Promise.all(
      remoteItems.map((record) => this.#context.remote.mirrorLogs(this.#getAttemptPath(record))),
    );
  }

  since(number: number): PriorStart | undefined {
    const record = this.#records.get(number);
    return record && { at: record.startedAt, subRun: record.subRun };
  }

  get #isRemote(): boolean {
    return this.#context.remote.getSelector(this.#step) !== undefined;
  }

  async #endAll(): Promise<void> {
    for (const record of this.#records.values()) {
      if (record.status !== 'running' || this.#step.action.kind === 'dag' || this.#isRemote) continue;
      const orphan = this.#orphanAt(this.#getAttemptPath(record));
      await killOrphanedProcess(orphanedProcess(this.#context, this.#step, orphan), this.#context);
    }
  }

  /** Describes the process of an item, found by its tag, because an attempt has room for one process only. */
  #orphanAt(attemptPath: string) {
    return { attemptPath, process: {}, isSameBoot: this.#open?.isSameBoot ?? false };
  }

  #getAttemptPath({ dir }: ItemRecord): string {
    return path.join(this.#context.runDir, dir);
  }
}

/** Maximum characters of an item in its label. */
const maxLabelLength = 200;

/** Returns a string shortened for display. */
export const toLabel = (text: string): string => truncate(text, maxLabelLength);

/** The directory of an attempt or an item, and what is known about its process. */
export interface OrphanedAction {
  /** Absolute path. */
  readonly attemptPath: string;
  readonly process: Pick<AttemptRecord, 'pid' | 'pidStart'>;
  readonly isSameBoot: boolean;
}

/** Resumes an action that is not a sub-run, by reattaching to its process if it has one. */
export function adoptAction(context: StepRunContext, step: Step, orphan: OrphanedAction): RunningStep {
  if (step.action.kind !== 'executor') return reattach(orphanedProcess(context, step, orphan), context);
  return { ended: loseTask(context, step, step.action.type, orphan), stop() {}, kill() {} };
}

/** Ends what in-process work has started on this machine. The work of an engine that has ended cannot be resumed. */
async function loseTask(
  context: StepRunContext,
  step: Step,
  type: string,
  orphan: OrphanedAction,
): Promise<ExecutorResult> {
  if (claimStart(orphan.attemptPath)) return neverStartedResult;
  await killOrphanedProcess(orphanedProcess(context, step, orphan), context);
  return lostResult(`steps of type "${type}" run in the engine`);
}

/** Returns the known state of a process that another host started. */
function orphanedProcess(
  { scope, workflow }: Pick<StepRunContext, 'scope' | 'workflow'>,
  step: Step,
  { attemptPath, process, isSameBoot }: OrphanedAction,
): OrphanedProcess {
  return {
    attemptDir: attemptPath,
    pid: process.pid,
    pidStart: process.pidStart,
    stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
    cleanUpMs: workflow.maxCleanUpTimeSec * 1000,
    isRelayed:
      step.terminal !== undefined || scope.relay({ stdout: step.stdout, stderr: step.stderr }) !== undefined,
    hasTerminal: step.terminal !== undefined,
    isSameBoot,
  };
}
