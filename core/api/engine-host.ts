import type { Dispose } from '../base/clock.ts';
import type { HealthProblem } from '../base/health.ts';
import type { Auth } from './auth/auth.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import type { CallerUser, Credential } from './auth/identity.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';
import type { StreamObserver } from '../contract/transport.ts';
import type { DryRunView } from '../contract/dry.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../contract/operations.ts';
import type { Role } from '../contract/operation.ts';
import type { LazyGateway } from '../gateway/service/gateway-service.ts';
import type { EngineMetrics } from './metrics/engine-metrics.ts';
import type { Trigger } from '../model/run-event.ts';
import type { RunRef } from '../model/run.ts';
import type { StepSelectionOptions } from '../run/read-partial-run.ts';
import type { StepLocation } from '../run/step-location.ts';
import type { TraceContext } from '../model/trace-context.ts';
import type { PingStore } from '../store/types/pings.ts';
import type { LazyInbound } from '../webhooks/lazy-inbound.ts';

/** The caller of an operation: recorded (`stopRequestedBy`, triggers) and used for permissions. */
export interface Caller {
  readonly via: 'ipc' | 'http' | 'cli';
  /** Display name: a user name, or the name of the transport. */
  readonly name: string;
  /**
   * Role of the caller; absent for the local user (the window, the command line, a server without authentication), with all
   * permissions.
   */
  readonly role?: Role | undefined;
  /** The authenticated user, if any. */
  readonly user?: CallerUser | undefined;
  /** The credential that the caller used. */
  readonly credential?: Credential | undefined;
  /** Address of the caller, if any; used for rate limiting. */
  readonly address?: string | undefined;
  /** Trace of the call; runs that it starts belong to it. */
  readonly trace?: TraceContext | undefined;
}

/** The operations as functions, on every transport; `createApi` authorizes, validates and audits the calls. */
export interface EngineApi {
  /** Rejects with an `AppError` for errors of the operation. */
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
  ): Promise<OperationOutput<Name>>;
  /** Errors are passed to `observer.end` and never to the caller. */
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
    caller: Caller,
  ): Dispose;
  /** Called for a call that was rejected before it reached this object, for the audit log. */
  recordRejection?(name: OperationName, input: unknown, caller: Caller, code: ErrorCode): Promise<void>;
}

/**
 * The workflow to run: a file of the workflow folder by name, any file by path, text without a file, or that of an
 * earlier run with its parameters (its id may be `latest`).
 */
export type RunSource =
  | { readonly fileName: string }
  | { readonly file: string }
  | {
      readonly spec: string;
      /** A base configuration instead of that of the home. */
      readonly base?: BaseSource;
      /**
       * Name of the workflow file that the text replaces: relative paths are resolved from its folder. It may not
       * exist.
       */
      readonly sourceFile?: string | undefined;
    }
  | { readonly run: RunRef };

/** The text of a base configuration. */
export interface BaseSource {
  readonly text: string;
  /** Name in messages. Default: `base`. */
  readonly file?: string;
}

/** A request to start a run. */
export interface StartRequest {
  readonly source: RunSource;
  readonly trigger: Trigger;
  /** Caller as in the audit log. */
  readonly startedBy?: string | undefined;
  /** Overrides the name of the run (`dagName`, `--name`). */
  readonly name?: string;
  /** Id chosen by the caller; rejected with `already_exists` if it is taken. */
  readonly dagRunId?: string;
  /**
   * One string as typed after `--`, or its words already split by a shell. Not allowed for the workflow of an earlier
   * run.
   */
  readonly params?: string | readonly string[];
  /** Runs only a part of the workflow. */
  readonly part?: StepSelectionOptions | undefined;
  /** Absolute path, else rejected with `bad_request`; for workflows that specify no working directory. */
  readonly defaultWorkingDir?: string | undefined;
  /** Trace context of the caller, if any. */
  readonly trace?: TraceContext | undefined;
  /** Rejected with `still_running` while any run of the same name is active or queued. */
  readonly singleton?: boolean;
  /** Overrides the limit of the workflow; -1 for no limit. Only for a workflow, on a home of this machine. */
  readonly maxActiveRuns?: number;
}

/** A request to queue a run. */
export interface EnqueueRequest extends StartRequest {
  readonly source: Exclude<RunSource, { readonly run: RunRef }>;
  /** Overrides the queue of the workflow. */
  readonly queue?: string;
  /** Higher priorities start first. Default: 0. */
  readonly priority?: number;
}

/** A request for a dry run. */
export interface DryRunRequest extends Pick<StartRequest, 'name' | 'params' | 'defaultWorkingDir'> {
  readonly source: Exclude<RunSource, { readonly run: RunRef }>;
  /** Runs commands in backticks, whose output is part of values. */
  readonly runSubstitutions?: boolean;
}

/** Describes what a run would do, without running it. Rejects with `not_found`, `invalid_spec` or `bad_request`. */
export type DryRunner = (request: DryRunRequest) => Promise<DryRunView>;

/** The scheduler of a host. */
export interface Scheduling {
  /** Whether it works and can read and write. */
  readonly isHealthy: boolean;
  /** Whether it is the active scheduler of the home. */
  readonly isActive: boolean;
}

/** An engine that one process (desktop app, headless server, or one `engine` command) has opened on one home. */
export interface EngineHost {
  readonly api: EngineApi;
  /** Absolute path of the home. */
  readonly home: string;
  readonly config: EngineConfig;
  /** Incoming webhooks of the home. */
  readonly inbound: LazyInbound;
  /** Pings of jobs that run elsewhere. */
  readonly pings: PingStore;
  /** The database gateway of the home, loaded on first use. */
  readonly gateway: LazyGateway;
  /** Users, tokens and sessions of the home, opened on first use. */
  auth(): Promise<Auth>;
  /** Starts collecting metrics of the home (docs/monitoring.md); for long-running hosts. */
  metrics(): Promise<EngineMetrics>;
  /**
   * Creates a run and starts to execute it; a run that requires a worker is queued instead.
   * @throws AppError (`not_found`, `invalid_spec`, …)
   */
  startRun(request: StartRequest): Promise<RunRef>;
  /**
   * Creates a queued run.
   * @throws AppError (`not_found`, `invalid_spec`, `queue_closed`, …)
   */
  enqueueRun(request: EnqueueRequest): Promise<RunRef>;
  /** Resolves when the run has ended, whichever host executes it. */
  waitForEnd(run: RunRef): Promise<OperationOutput<'runs.get'>>;
  /** Returns the runs that this host executes. */
  activeExecutions(): readonly RunRef[];
  /**
   * Returns the environment of a step for trying it in a terminal; see `StepLocation`, which contains secrets in plain
   * text. Only for hosts with a user at the machine: no operation exposes it.
   */
  locateStep(run: RunRef, step?: string): Promise<StepLocation>;
  /** Returns the environment in which a run of a workflow file would start. Also rejects with `not_found`. */
  locateWorkflow(fileName: string): Promise<StepLocation>;
  /**
   * Changes environment variables of this host for new runs, and replaces an earlier change.
   * @param variables an empty string removes a variable
   * @param passed names of the variables that steps receive without declaring them, because the user has chosen them
   * for all workflows
   */
  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void;
  /** Calls the listener for each new problem of this host, as in `system.health`. */
  onProblem(listener: (problem: HealthProblem) => void): void;
  /** Kills the processes of a run of this host without waiting for their clean-up time. */
  forceStop(run: RunRef): void;
  /** Whether there are runs whose host has ended. */
  hasOrphans(): boolean;
  /** Takes over the runs whose hosts have ended and executes them. Never rejects. */
  recoverRuns(): Promise<readonly RunRef[]>;
  /** Takes over runs now and at the configured interval until the host is closed: for long-running hosts. */
  startRecoveryLoop(): void;
  /** Starts monitoring resource usage at the configured interval until the host is closed: for long-running hosts. */
  monitorResources(): void;
  /** Starts processing queues until the host is closed: for long-running hosts. */
  processQueues(): void;
  /** Starts sending webhooks until the host is closed: for long-running hosts. */
  sendWebhooks(): Promise<void>;
  /**
   * Starts running schedules until the host is closed. Resolves when they are loaded.
   * @param healthPort port of the health check, which is published; absent if there is none
   */
  startScheduling(healthPort?: number): Promise<Scheduling>;
  /**
   * Makes the scheduler check the time at once, for example after the machine was asleep. Does nothing without a
   * scheduler.
   */
  onClockChanged(): void;
  /**
   * Stops running schedules, processing queues and taking over runs, so that other hosts may do so. Active runs
   * continue. Resolves when other hosts are informed; each of the three can be started again.
   */
  pauseServices(): Promise<void>;
  /**
   * Closes the host. `stop` aborts its runs (handlers run) and waits for them; `leave` lets step processes continue
   * and leaves the runs to be taken over.
   */
  close(runs: 'stop' | 'leave'): Promise<void>;
}
