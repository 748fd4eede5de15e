import type { RunningStep } from '../../executors/executor.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { RunRef } from '../../model/run.ts';
import type { WorkerSelector } from '../../model/workflow-rules.ts';
import type { JsonValue } from '../../base/json.ts';
import type { RegistryAuths, Smtp } from '../../model/settings.ts';
import type { Step } from '../../model/step.ts';

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

/**
 * Everything a worker needs to run one attempt of a step, without access to the run, its file or the database. Sent as
 * JSON, and stored in the database until the attempt has ended.
 */
export interface RemoteTask {
  readonly run: RunRef;
  readonly node: NodeId;
  /** 1 for the first. */
  readonly attempt: number;
  /** Item of the attempt, for `parallel`. */
  readonly item?: number;
  /** The step with unexpanded values, as in the workflow. */
  readonly step: Step;
  /**
   * Variables set by the workflow, the run and earlier steps, including `DAG_RUN_ID` and `ENGINE_STEP_ATTEMPT`. They
   * override the worker's system environment (PATH, HOME). The worker adds `PWD`, `DAG_RUN_STEP_STDOUT_FILE`,
   * `DAG_RUN_STEP_STDERR_FILE`, and `ENGINE_FENCE`, the fencing token of the claim, which together with the run id and
   * attempt uniquely identifies this execution. The entries of `step.env` are not included: the worker expands them in
   * order over all of these, so that their commands and `$HOME` are its own.
   */
  readonly env: Readonly<Record<string, string>>;
  /** `$1`, `$2`, … of commands and scripts. */
  readonly positional: readonly string[];
  /** Expanded shell of the step or workflow. Default: the worker's shell. */
  readonly shell?: readonly string[];
  /**
   * Expanded working directory of the workflow or step. A relative path is relative to the attempt's directory on the
   * worker, which is also the default.
   */
  readonly workingDir?: string;
  /** Milliseconds between the stop signal and SIGKILL. */
  readonly cleanUpMs: number;
  /** Maximum size of a captured `output`, in bytes. */
  readonly maxOutputSize: number;
  /** Values to mask in all that the worker writes or sends. */
  readonly masked: readonly string[];
  readonly smtp: readonly Smtp[];
  readonly registryAuths?: RegistryAuths | undefined;
  /** Values of `${id.property}` in the step, by `id.property`; other names are not properties. */
  readonly properties: Readonly<Record<string, JsonValue>>;
  /** Artifacts of the run that the step needs, as names relative to the working directory. */
  readonly inputFiles: readonly string[];
  /** Globs, relative to the working directory, of files to store as artifacts after success. */
  readonly outputFiles: readonly string[];
  /** Action of the worker if no coordinator is reachable for one lease. */
  readonly onPartition: 'continue' | 'stop';
}

/** Outcome of an attempt on a worker. */
export interface RemoteResult {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
  /** As in `ExecutorResult`. */
  readonly partial?: boolean;
  /** As in `ExecutorResult`: nothing was run. */
  readonly unstarted?: true;
  /** Output of the executor that replaces stdout as the step's `output`. */
  readonly output?: JsonValue;
  /**
   * Trimmed stdout, if the step has an `output` or the task is an item; absent otherwise, and if it was too large (see
   * `error`).
   */
  readonly captured?: JsonValue;
  /** Additional values to mask from now on. */
  readonly hidden: readonly string[];
  /** In the worker's clock, epoch milliseconds; for display. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Size of each log file; the log is complete when the coordinator has all bytes. */
  readonly logs: { readonly stdout: number; readonly stderr: number };
  /** Names of uploaded artifacts. */
  readonly artifacts: readonly string[];
}
