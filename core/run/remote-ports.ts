import type { RunningStep } from '../executors/executor.ts';
import type { NodeId } from '../model/run-event.ts';
import type { RunRef } from '../model/run.ts';
import type { WorkerSelector } from '../model/workflow-rules.ts';
import type { RemoteTask } from './remote/remote-task.ts';

/** An attempt of a step, or one of its items, for a worker. */
export interface RemoteAttempt {
  /** Identifies it, whichever host offers it; see {@link remoteKey}. */
  readonly key: string;
  readonly runKey: number;
  /** The epoch with which this host owns the run. */
  readonly runEpoch: number;
  readonly run: RunRef;
  readonly selector: WorkerSelector;
  readonly task: RemoteTask;
  /** Absolute path of the directory of the attempt or the item. */
  readonly attemptDir: string;
  /** Called with the reason why it waits, in one sentence, and again when the reason has changed. */
  onWaiting(reason: string): void;
  /** Called once when a worker has received the attempt and its timeout starts, always before its end. */
  onStarted(worker: RemoteWorker): void;
  /** Called when it ends although its command may still be running on the worker. */
  onLeft(worker: RemoteWorker, why: string): void;
  /** Masks a value that the step has received, before its end is reported. */
  maskSecrets(value: string): void;
}

/** The worker of an attempt. */
export interface RemoteWorker {
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
}

/** Runs attempts on workers, for all runs of this host. */
export interface RemoteSteps {
  /**
   * Offers an attempt to the workers and waits for its end. An attempt that this or another host has offered before is
   * not offered again; only its end is awaited.
   */
  start(attempt: RemoteAttempt): RunningStep;
  /** Removes stored data of attempts whose ends are recorded with their run. Never rejects. */
  forget(keys: readonly string[]): Promise<void>;
  /** Ends the remaining work of a run that has ended or cannot continue. Never rejects. */
  endRun(runKey: number): Promise<void>;
  /** Copies the known logs of an attempt into its directory on this machine. Never rejects. */
  mirrorLogs(attemptDir: string): Promise<void>;
  /** @throws `no_worker` in an installation where nothing was ever set up for workers */
  requireSetUp(selector: WorkerSelector): Promise<void>;
}

/** `<run key>.<section>.<step>.<attempt>[.<item>]` */
export const remoteKey = (runKey: number, node: NodeId, attempt: number, item?: number): string =>
  [runKey, node.section, node.name, attempt, ...(item === undefined ? [] : [item])].join('.');
