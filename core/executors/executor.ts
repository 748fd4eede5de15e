import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import type { Answer, Question } from '../model/run/approval.ts';
import type { AttemptEnd } from '../model/run/run-event.ts';
import type { RunDetail, RunRef } from '../model/run/run.ts';
import type { RegistryAuths, Smtp } from '../model/settings.ts';
import type { ExecutorAction, Step, StepAction } from '../model/workflow/step.ts';
import type { Parameter } from '../model/workflow/workflow.ts';
import type { DatabasePort } from './database-port.ts';
import type { RunResources } from './resources.ts';
import type { StepOutput } from './step-output.ts';
import type { OutputRelay, ProcessLauncher } from '../process/launch/launcher.ts';

/** Starts runs of other workflows on behalf of a step. */
export interface SubRunPort {
  start(dag: string, params: readonly Parameter[]): Promise<SubRun>;
}

/** A run started by a step. */
export interface SubRun {
  readonly ref: RunRef;
  readonly ended: Promise<RunDetail>;
  /** Its handlers still run. */
  stop(): void;
  /** At once, handlers included. */
  kill(): void;
}

/** Asks people on behalf of a step. */
export interface PeoplePort {
  /**
   * Asks what `compose` returns, unless the attempt has asked already on a host that is gone, and waits for the
   * answer, however long that takes and whoever drives the run meanwhile. Rejects with what `compose` rejects with,
   * and when `signal` is aborted.
   */
  ask(compose: () => Promise<Question>, signal: AbortSignal): Promise<AnsweredQuestion>;
}

/** A question with its answer; `at` in epoch milliseconds. */
export interface AnsweredQuestion extends Question {
  readonly answer: Answer & { readonly at: number };
}

/** How an attempt ended; executors without a process may have a result of their own. */
export interface ExecutorEnd extends AttemptEnd {
  /** Counts as `partially_succeeded`. */
  readonly partial?: boolean;
  /** Taken for the step's `output` instead of its stdout. */
  readonly output?: JsonValue;
  /** The trimmed text of its stdout, when whoever made the attempt has read it. */
  readonly stdout?: string;
  /** No retry policy has it made again. */
  readonly isFinal?: true;
  /** It is certain that nothing was run, and that nothing will be. */
  readonly unstarted?: true;
}

/** Everything one attempt of a step gets. */
export interface StepContext {
  readonly step: Step;
  /** The complete environment of the step's processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; exists. */
  readonly workingDir: string;
  /** The step's shell, else the workflow's; absent means the default one. Program, then its arguments. */
  readonly shell?: readonly string[];
  /** `$1`, `$2`, … of commands and scripts. */
  readonly positional: readonly string[];
  /** Absolute, exists, this attempt's alone: receives the log files; the exit record goes beside it. */
  readonly attemptDir: string;
  /** Absolute; may be missing. For what is fetched once for many runs and may be lost. */
  readonly cacheDir: string;
  /** Milliseconds between the stop signal and SIGKILL. */
  readonly cleanUpMs: number;
  readonly clock: Clock;
  readonly launcher: ProcessLauncher;
  /** What the output has to pass through; absent when it goes straight into the log files. */
  readonly relay?: OutputRelay | undefined;
  /** Expands `${…}` and backticks. Rejects when a command in it fails. */
  expand(text: string): Promise<string>;
  /** Hides a value that the step learnt from now on, in what later steps write and in what is kept of the run. */
  hide(value: string): void;
  /** Called once, in the turn in which the process was started. */
  onSpawned(pid: number, pidStart: string): void;
  readonly subRuns: SubRunPort;
  readonly people: PeoplePort;
  /** The mail servers of the workflow, unexpanded; none when it has none. */
  readonly smtp: readonly Smtp[];
  /** Logins for registries of images, unexpanded. */
  readonly registryAuths?: RegistryAuths | undefined;
  /** What the steps of the run share: connections, containers. */
  readonly resources: RunResources;
  readonly databases: DatabasePort;
}

/** An attempt under way. */
export interface RunningStep {
  /** Never rejects: whatever goes wrong is the attempt's error. */
  readonly ended: Promise<ExecutorEnd>;
  /** The step's signal or SIGTERM, SIGKILL after the clean-up time. Calling it again does nothing. */
  stop(): void;
  /** Ends it at once. */
  kill(): void;
}

/**
 * An executor that `type` names. It evaluates its configuration with `context.expand` when it starts
 * (evaluate-config.ts), writes what a person wants to see to `task.output`, ends soon after `task.signal` is aborted,
 * and gives everything back that it holds, however it ends. What it rejects with is the attempt's error.
 */
export interface ActionExecutor {
  run(context: StepContext, action: ExecutorAction, task: StepTask): Promise<ExecutorEnd>;
}

/** What the work of an executor without a process gets. */
export interface StepTask {
  /** Aborted when the attempt is to end. */
  readonly signal: AbortSignal;
  /** Aborted when it is to end at once, after the clean-up time for instance. */
  readonly killing: AbortSignal;
  /** The attempt's log: texts are masked and copied on their way. */
  readonly output: StepOutput;
}

/** One kind of action. Executors hold no state; all of an attempt's is in its context. */
export interface Executor<Kind extends StepAction['kind']> {
  readonly kind: Kind;
  start(context: StepContext, action: Extract<StepAction, { kind: Kind }>): RunningStep;
}
