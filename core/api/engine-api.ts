import type { Dispose } from '../base/clock.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import type { CallerUser, Credential } from './auth/identity.ts';
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
import type { Trigger } from '../model/run-event.ts';
import type { RunRef } from '../model/run.ts';
import type { StepSelectionOptions } from '../run/read-partial-run.ts';
import type { TraceContext } from '../model/trace-context.ts';

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
