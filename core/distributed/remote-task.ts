import type { JsonValue } from '../base/json.ts';
import type { NodeId } from '../model/run/run-event.ts';
import type { RunRef } from '../model/run/run.ts';
import type { RegistryAuths, Smtp } from '../model/settings.ts';
import type { Step } from '../model/workflow/step.ts';

/**
 * What a worker needs to make one attempt of a step: complete, so that neither the run, nor its file, nor the database
 * has to be asked. It crosses the wire as JSON and lies in the database until the attempt has ended.
 */
export interface RemoteTask {
  readonly run: RunRef;
  readonly node: NodeId;
  /** 1 for the first. */
  readonly attempt: number;
  /** Of `parallel`: which item of the attempt it is. */
  readonly item?: number;
  /** Its action unexpanded, as the workflow has it. */
  readonly step: Step;
  /**
   * What the workflow, the run and the steps before it set, `DAG_RUN_ID` and `ENGINE_STEP_ATTEMPT` included. The worker
   * puts it over what its own system has (PATH, HOME), and adds what only it knows: `PWD`, `DAG_RUN_STEP_STDOUT_FILE`,
   * `DAG_RUN_STEP_STDERR_FILE`, and `ENGINE_FENCE`, the fence of the hand-over, which with the other two is a key that
   * tells this execution from every other one. The entries of `step.env` are not among them: the worker expands them
   * over all of these, in their order, so that commands and `$HOME` in them are its own.
   */
  readonly env: Readonly<Record<string, string>>;
  /** `$1`, `$2`, … of commands and scripts. */
  readonly positional: readonly string[];
  /** The step's shell, else the workflow's, expanded; absent means the worker's default one. */
  readonly shell?: readonly string[];
  /**
   * The folder the workflow or the step names, expanded; a relative one is meant below the attempt's own folder on the
   * worker, which is also what is used when it is absent.
   */
  readonly workingDir?: string;
  /** Milliseconds between the stop signal and SIGKILL. */
  readonly cleanUpMs: number;
  /** Bytes a captured `output` may have. */
  readonly maxOutputSize: number;
  /** Hidden in all that the worker writes or sends. */
  readonly masked: readonly string[];
  readonly smtp: readonly Smtp[];
  readonly registryAuths?: RegistryAuths | undefined;
  /** What `${id.property}` in the step stands for, by `id.property`; a name that is not among them is no property. */
  readonly properties: Readonly<Record<string, JsonValue>>;
  /** Names, relative to the working directory, of artifacts of the run that must be there before it begins. */
  readonly inputFiles: readonly string[];
  /** Globs, relative to the working directory, of what is kept as artifacts of the run once it has succeeded. */
  readonly outputFiles: readonly string[];
  /** What the worker does with the attempt when no coordinator can be reached for as long as a lease. */
  readonly onPartition: 'continue' | 'stop';
}

/** How the attempt ended on the worker. */
export interface RemoteResult {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
  /** As in `ExecutorEnd`. */
  readonly partial?: boolean;
  /** As in `ExecutorEnd`: certain that nothing was run. */
  readonly unstarted?: true;
  /** What the executor gives as the step's `output` instead of its stdout. */
  readonly output?: JsonValue;
  /**
   * The trimmed text of its stdout, when the step has an `output` or the task is an item; absent otherwise, and when it
   * was too large (`error` says so).
   */
  readonly captured?: JsonValue;
  /** Values the step has learnt and that are to be hidden from now on. */
  readonly hidden: readonly string[];
  /** By the worker's clock, epoch milliseconds; for people. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Bytes of each log file; the log is whole once the coordinator has as many. */
  readonly logs: { readonly stdout: number; readonly stderr: number };
  /** Names of the artifacts that were uploaded. */
  readonly artifacts: readonly string[];
}
