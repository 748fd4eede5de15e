import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import type { Answer, Question } from '../model/approval.ts';
import type { AttemptExit } from '../model/run-event.ts';
import type { RunDetail, RunRef } from '../model/run.ts';
import type { RegistryAuths, Smtp } from '../model/settings.ts';
import type { ExecutorAction, Step, StepAction } from '../model/step.ts';
import type { Parameter } from '../model/workflow.ts';
import type { OutputRelay, ProcessLauncher } from '../process/launcher.ts';
import { parseSignal } from '../process/kill.ts';
import type { GatewayDatabase } from '../store/sql/database.ts';
import type { RunResources } from './resources.ts';
import type { StepOutput } from './step-output.ts';

/** Starts runs of other workflows for a step. */
export interface SubRunPort {
  start(dag: string, params: readonly Parameter[]): Promise<SubRun>;
}

/** A run started by a step. */
export interface SubRun {
  readonly ref: RunRef;
  readonly ended: Promise<RunDetail>;
  /** Stops the run; its handlers still run. */
  stop(): void;
  /** Stops the run at once, including its handlers. */
  kill(): void;
}

/** Asks for approvals for a step. */
export interface ApprovalPort {
  /**
   * Asks the question that `compose` returns and waits for the answer, however long it takes and across restarts. If
   * the attempt has already asked on a host that has ended, the existing question is used. Rejects if `compose`
   * rejects or `signal` is aborted.
   */
  ask(compose: () => Promise<Question>, signal: AbortSignal): Promise<AnsweredQuestion>;
}

/** A question with its answer; `at` in epoch milliseconds. */
export interface AnsweredQuestion extends Question {
  readonly answer: Answer & { readonly at: number };
}

/** Result of an attempt. Executors without a process may return a result of their own. */
export interface ExecutorResult extends AttemptExit {
  /** Counts as `partially_succeeded`. */
  readonly partial?: boolean;
  /** Used for the step's `output` instead of its stdout. */
  readonly output?: JsonValue;
  /** The trimmed stdout, if it has already been read. */
  readonly stdout?: string;
  /** The attempt is never retried. */
  readonly isFinal?: true;
  /** The process has certainly not started and never will. */
  readonly unstarted?: true;
}

/** Everything that an executor receives for one attempt of a step. */
export interface StepContext {
  readonly step: Step;
  /** The complete environment of the step's processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of an existing folder. */
  readonly workingDir: string;
  /** The step's shell, else the workflow's. Program, then its arguments. Default: the default shell. */
  readonly shell?: readonly string[];
  /** `$1`, `$2`, … of commands and scripts. */
  readonly positional: readonly string[];
  /** Absolute path of an existing folder for this attempt only, with its log files; the exit record is next to it. */
  readonly attemptDir: string;
  /** Absolute path; may not exist. For data that many runs share and that may be deleted at any time. */
  readonly cacheDir: string;
  /** Milliseconds between the stop signal and SIGKILL. */
  readonly cleanUpMs: number;
  readonly clock: Clock;
  readonly launcher: ProcessLauncher;
  /** Filters the output; absent if the output is written directly to the log files. */
  readonly relay?: OutputRelay | undefined;
  /** Expands `${…}` and backticks. Rejects if a command in backticks fails. */
  expand(text: string): Promise<string>;
  /** Masks a value from now on in the output of later steps and in the stored data of the run. */
  maskSecrets(value: string): void;
  /** Called once, in the same turn in which the process was started. */
  onSpawned(pid: number, pidStart: string): void;
  readonly subRuns: SubRunPort;
  readonly approvals: ApprovalPort;
  /** The mail servers of the workflow, unexpanded; empty if there are none. */
  readonly smtp: readonly Smtp[];
  /** Credentials for image registries, unexpanded. */
  readonly registryAuths?: RegistryAuths | undefined;
  /** Resources that the steps of the run share: connections, containers. */
  readonly resources: RunResources;
  readonly databases: DatabasePort;
}

/** A running attempt. */
export interface RunningStep {
  /** Never rejects: a failure is the attempt's error. */
  readonly ended: Promise<ExecutorResult>;
  /** Sends the step's signal or SIGTERM, then SIGKILL after the clean-up time. Repeated calls have no effect. */
  stop(): void;
  /** Ends the attempt at once. */
  kill(): void;
}

/** Ends what an attempt runs, also when that is requested before it runs. A stop does not weaken a kill. */
export class ActionEnder {
  #request: 'stop' | 'kill' | undefined;
  #running: Pick<RunningStep, 'stop' | 'kill'> | undefined;

  /** How the attempt has to end; undefined if it need not. */
  get request(): 'stop' | 'kill' | undefined {
    return this.#request;
  }

  end(how: 'stop' | 'kill'): void {
    if (this.#request !== 'kill') this.#request = how;
    this.#running?.[how]();
  }

  /** Called when it runs. */
  attach(running: Pick<RunningStep, 'stop' | 'kill'>): void {
    this.#running = running;
    if (this.#request !== undefined) running[this.#request]();
  }
}

/**
 * An executor for a step `type`. It evaluates its configuration with `context.expand` when it starts
 * (evaluate-config.ts), writes user-facing output to `task.output`, ends soon after `task.signal` is aborted, and
 * always releases its resources. If it rejects, the message is the attempt's error.
 */
export interface ActionExecutor {
  run(context: StepContext, action: ExecutorAction, task: StepTask): Promise<ExecutorResult>;
}

/** Input of an executor without a process. */
export interface StepTask {
  /** Aborted when the attempt must end. */
  readonly signal: AbortSignal;
  /** Aborted when the attempt must end at once, for example after the clean-up time. */
  readonly killing: AbortSignal;
  /** The attempt's log. Output is masked. */
  readonly output: StepOutput;
}

/** An executor for one kind of action. Executors are stateless; the state of an attempt is in its context. */
export interface Executor<Kind extends StepAction['kind']> {
  readonly kind: Kind;
  start(context: StepContext, action: Extract<StepAction, { kind: Kind }>): RunningStep;
}

/** Returns the signal that stops a step on another machine or in a container, in the format of `kill -s`: `TERM`. */
export const getStopSignal = ({ step }: Pick<StepContext, 'step'>): string =>
  (parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM').slice('SIG'.length);

/** Opens the databases that steps query. */
export interface DatabasePort {
  /**
   * Opens a database. Connects on the first query; the caller closes it.
   * @param url URL of a PostgreSQL server; the database of the gateway if absent
   */
  open(url: string | undefined): Promise<GatewayDatabase>;
}
