import type { ExecutorEnd } from '../../executors/executor.ts';
import type { NodeId } from '../../model/run/run-event.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { WorkerSelector } from '../../model/workflow/worker-selector.ts';
import type { RemoteTask } from '../../distributed/remote-task.ts';

/** An attempt of a step, or an item of it, that a worker is to make. */
export interface RemoteAttempt {
  /** Tells it from every other one, whichever host offers it; see {@link remoteKey}. */
  readonly key: string;
  readonly runKey: number;
  /** Under which this host owns the run. */
  readonly runEpoch: number;
  readonly run: RunRef;
  readonly selector: WorkerSelector;
  readonly task: RemoteTask;
  /** Absolute path of the folder of the attempt or the item. */
  readonly place: string;
  /** Why it waits, in one sentence; told again when that has changed. */
  onWaiting(reason: string): void;
  /** Once: a worker has it, so that its time begins. Before its end, however quick that is. */
  onBegun(worker: RemoteWorker): void;
  /** It ends, and its command may go on there all the same. */
  onLeft(worker: RemoteWorker, why: string): void;
  /** Hides a value that the step has learnt, before its end is told. */
  hide(value: string): void;
}

/** Who makes an attempt, or made it. */
export interface RemoteWorker {
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
}

/** An attempt that is with the workers. */
export interface RemoteRunning {
  /** Never rejects. */
  readonly ended: Promise<ExecutorEnd>;
  stop(): void;
  kill(): void;
}

/** Has attempts made by workers, for all runs of this host. */
export interface RemoteSteps {
  /**
   * Offers an attempt to the workers and waits for its end. One that this or another host has offered before is not
   * offered again: its end is waited for.
   */
  start(attempt: RemoteAttempt): RemoteRunning;
  /** Removes what is kept of attempts whose ends are recorded with their run. Never rejects. */
  forget(keys: readonly string[]): Promise<void>;
  /** Ends whatever is left of a run that cannot go on, or has ended. Never rejects. */
  endRun(runKey: number): Promise<void>;
  /** Makes the logs of an attempt be in its folder on this machine, as far as they are known. Never rejects. */
  mirrorLogs(place: string): Promise<void>;
  /** Throws `no_worker` in an installation that nothing has ever been set up in for workers. */
  requireSetUp(selector: WorkerSelector): Promise<void>;
}

/** `<run key>.<section>.<step>.<attempt>[.<item>]` */
export const remoteKey = (runKey: number, node: NodeId, attempt: number, item?: number): string =>
  [runKey, node.section, node.name, attempt, ...(item === undefined ? [] : [item])].join('.');
