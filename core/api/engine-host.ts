import type { Dispose } from '../base/clock.ts';
import type { HealthProblem } from '../base/health.ts';
import type { Auth } from '../auth/auth.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import type { CallerUser, Credential } from '../auth/identity.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { StreamObserver } from '../contract/transport/bridge.ts';
import type { DryRunView } from '../contract/runs/dry.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../contract/operations.ts';
import type { Role } from '../contract/operation.ts';
import type { GatewayOpening } from '../gateway/service/gateway-door.ts';
import type { EngineMetrics } from '../metrics/engine-metrics.ts';
import type { Trigger } from '../model/run/run-event.ts';
import type { RunRef } from '../model/run/run.ts';
import type { PartWish } from '../run/part/read-part.ts';
import type { StepPlace } from '../run/step-place.ts';
import type { TraceContext } from '../model/workflow/trace-context.ts';
import type { Inbound } from '../webhooks/inbound/inbound.ts';

/** Who calls: for the record (`stopRequestedBy`, triggers) and for permissions. */
export interface Caller {
  readonly via: 'ipc' | 'http' | 'cli';
  /** Shown to people: a user name, or the transport's name. */
  readonly name: string;
  /** What the caller may do; absent for the machine's own user (the window, the command line, a server without authentication), who may do everything. */
  readonly role?: Role | undefined;
  /** Who it is, when authentication has told. */
  readonly user?: CallerUser | undefined;
  /** What it has proved itself with. */
  readonly credential?: Credential | undefined;
  /** Address it calls from, where there is one; for throttling. */
  readonly address?: string | undefined;
  /** The trace that the call is part of: runs that it starts belong to it. */
  readonly trace?: TraceContext | undefined;
}

/** The operations table, callable. Transports, whose inputs may be anything, wrap it in `checkInputs`. */
export interface EngineApi {
  /** Rejects with `AppError`: the operation's own refusals. */
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
  ): Promise<OperationOutput<Name>>;
  /** Refusals reach `observer.end`, never the caller's stack. */
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
    caller: Caller,
  ): Dispose;
  /** Told of a call that was refused before it came here, for the record. */
  noteRefusal?(name: OperationName, input: unknown, caller: Caller, code: ErrorCode): void;
}

/**
 * What to run: a file of the workflow folder by name, any file by path, text without a file, or what an earlier run
 * has executed, with its parameters (its id may be `latest`).
 */
export type RunSource =
  | { readonly fileName: string }
  | { readonly file: string }
  | {
      readonly spec: string;
      /** A base configuration instead of that of the home. */
      readonly base?: BaseSource;
      /** The file of the workflow folder whose text it is to be: relative paths count from its folder. It may be missing. */
      readonly inPlaceOf?: string | undefined;
    }
  | { readonly run: RunRef };

/** The text of a base configuration. */
export interface BaseSource {
  readonly text: string;
  /** As messages are to name it; `base` when absent. */
  readonly file?: string;
}

/** A wish to start a run. */
export interface StartRequest {
  readonly source: RunSource;
  readonly trigger: Trigger;
  /** Who wants it, as the audit trail names callers. */
  readonly startedBy?: string | undefined;
  /** Overriding name of the run (`dagName`, `--name`). */
  readonly name?: string;
  /** The caller's own id; refused with `already_exists` the second time. */
  readonly dagRunId?: string;
  /** One text as typed after `--`, or its words already split by a shell. Not for what an earlier run has executed. */
  readonly params?: string | readonly string[];
  /** Only a part of the workflow. */
  readonly part?: PartWish | undefined;
  /** Absolute, or refused with `bad_request`; for workflows that name no working directory. */
  readonly defaultWorkingDir?: string | undefined;
  /** What causes the run, when that is traced. */
  readonly trace?: TraceContext | undefined;
  /** Refused with `still_running` while any run of the same name is active or waits. */
  readonly singleton?: boolean;
  /** Instead of the workflow's; -1 is any number. Only for a workflow, on a home of this machine. */
  readonly maxActiveRuns?: number;
}

/** A wish to have a run wait for its turn. */
export interface EnqueueRequest extends StartRequest {
  readonly source: Exclude<RunSource, { readonly run: RunRef }>;
  /** Instead of the workflow's queue. */
  readonly queue?: string;
  /** Higher ones start first; 0 when absent. */
  readonly priority?: number;
}

/** A wish to know what a run would do. */
export interface DryRunRequest extends Pick<StartRequest, 'name' | 'params' | 'defaultWorkingDir'> {
  readonly source: Exclude<RunSource, { readonly run: RunRef }>;
  /** Run the commands in backticks, whose output is part of values. */
  readonly runSubstitutions?: boolean;
}

/** Says what a run would do, without doing it. Rejects with `not_found`, `invalid_spec` or `bad_request`. */
export type DryRunner = (request: DryRunRequest) => Promise<DryRunView>;

/** The scheduler of a host. */
export interface Scheduling {
  /** Whether it looks at the clock, and can read and write. */
  readonly isHealthy: boolean;
  /** Whether it is the one of the home that works. */
  readonly isActive: boolean;
}

/** An engine opened on one home by one process (desktop app, headless server, or one `engine` command). */
export interface EngineHost {
  readonly api: EngineApi;
  /** Absolute path of the home. */
  readonly home: string;
  readonly config: EngineConfig;
  /** Webhooks that come to the home. */
  readonly inbound: Inbound;
  /** The database gateway of the home; loaded when it is needed. */
  readonly gateway: GatewayOpening;
  /** Users, tokens and sessions of the home; opened when they are needed. */
  auth(): Promise<Auth>;
  /** Counts from now on what happens on the home, and tells it to who asks (docs/monitoring.md); for hosts that stay. */
  metrics(): Promise<EngineMetrics>;
  /**
   * Creates the run and begins to drive it; one that only a worker may have waits in its queue instead.
   * Throws `AppError` (`not_found`, `invalid_spec`, …).
   */
  startRun(request: StartRequest): Promise<RunRef>;
  /** Creates a run that waits in a queue. Throws `AppError` (`not_found`, `invalid_spec`, `queue_closed`, …). */
  enqueueRun(request: EnqueueRequest): Promise<RunRef>;
  /** Resolves when the run has ended, whichever host drives it. */
  waitForEnd(run: RunRef): Promise<OperationOutput<'runs.get'>>;
  /** Runs this host drives now. */
  drivenRuns(): readonly RunRef[];
  /**
   * Where a person stands who wants to try what a step does; see `StepPlace`, which holds secrets in the clear. Only for
   * hosts with a person at the machine: no operation gives it to others.
   */
  stepPlace(run: RunRef, step?: string): Promise<StepPlace>;
  /** The same of a workflow file of the home: where a run of it would begin. Rejects with `not_found` as well. */
  workflowPlace(fileName: string): Promise<StepPlace>;
  /**
   * Changes variables of this host's environment for runs that begin from now on, in place of an earlier change.
   * @param variables an empty text takes one away
   * @param passed names of those that steps see without declaring them: a person has chosen them for all workflows
   */
  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void;
  /** Calls back for each new problem of this host, as `system.health` tells of it. */
  onProblem(listener: (problem: HealthProblem) => void): void;
  /** Kills the processes of a run this host drives without waiting for their clean-up time. */
  forceStop(run: RunRef): void;
  /** Whether there are runs whose host is gone. */
  hasOrphans(): boolean;
  /** Takes over the runs whose hosts are gone, and drives them from now on. Never rejects. */
  takeOver(): Promise<readonly RunRef[]>;
  /** Does so now and by the configured interval until the host is closed: for hosts that stay. */
  keepTakingOver(): void;
  /** Begins to look at the machine's resources by the configured interval, until the host is closed: for hosts that stay. */
  monitorResources(): void;
  /** Begins to start what waits in queues, until the host is closed: for hosts that stay. */
  processQueues(): void;
  /** Begins to send webhooks, until the host is closed: for hosts that stay. */
  sendWebhooks(): Promise<void>;
  /**
   * Begins to serve schedules, until the host is closed. Resolves when they have been read.
   * @param healthPort port of the health check, to be told to others; absent when there is none
   */
  startScheduling(healthPort?: number): Promise<Scheduling>;
  /** Has the scheduler look at the clock at once, as after a sleep of the machine; without one, does nothing. */
  lookAtClock(): void;
  /**
   * Starts nothing by itself from this call on: it serves no schedules and no queues, and takes over no run, so that
   * other hosts may. What runs goes on. Resolves when other hosts know; each of the three may be begun again.
   */
  standDown(): Promise<void>;
  /**
   * Ends the host. `stop` aborts its runs (handlers run) and waits for them; `leave` lets step
   * processes go on and leaves the runs to take-over.
   */
  close(runs: 'stop' | 'leave'): Promise<void>;
}
