import type { Transform } from 'node:stream';
import type { Result } from '../base/errors.ts';
import type { AttemptExit } from '../model/run-event.ts';
import type { TerminalSize } from '../model/step.ts';

/**
 * Output that the engine relays to the attempt's files. A process with a relay cannot outlive the engine that started
 * it: when the engine dies, its pipes are closed and the next write ends the process (SIGPIPE). So a takeover cannot
 * reattach to such a step.
 */
export interface OutputRelay {
  /** Creates the first transform of a stream, which masks secrets. */
  readonly mask?: ((stream: 'stdout' | 'stderr') => Transform) | undefined;
  /** Masks secrets in messages about the output, which are stored with it. */
  maskSecrets?(text: string): string;
  /**
   * Absolute paths of files that receive the same output as the logs, appended; they and their directories are created
   * when missing. Both may name the same file.
   */
  readonly copies: { readonly stdout?: string | undefined; readonly stderr?: string | undefined };
}

/** A process to start, with all of its input. Nothing is interpreted by a shell. */
export interface LaunchRequest {
  /** Program and arguments; a program without a slash is searched in the `PATH` of `env`. */
  readonly argv: readonly string[];
  /** The complete environment; the launcher adds only the attempt's tag. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path; must exist. */
  readonly cwd: string;
  /**
   * Absolute path, exists. Receives `stdout.log` and `stderr.log`; the exit record is written to the journal next to
   * it. Also the attempt's tag.
   */
  readonly attemptDir: string;
  /** Sent to the process group on `stop`. */
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds between `stopSignal` and SIGKILL. */
  readonly cleanUpMs: number;
  /** Windows: pass the arguments without quoting (for `cmd.exe`). */
  readonly verbatimArguments?: boolean;
  /** One of several processes of the attempt: its end is not the end of the attempt, and is not recorded. */
  readonly isPart?: boolean;
  /**
   * Runs in a pseudo-terminal of this size, whose whole output the engine writes to `stdout.log`. Like a process with a
   * relay it does not outlive the engine.
   */
  readonly terminal?: TerminalSize | undefined;
  /** Without a relay, the process writes directly to its files. */
  readonly relay?: OutputRelay | undefined;
  /** Called before a start that had to wait for a free process slot is retried. */
  isCancelled(): boolean;
}

/** Why no process was started; `message` is for the user. */
export interface LaunchFailure {
  readonly reason:
    | 'no_working_directory'
    | 'not_found'
    | 'not_executable'
    | 'too_big'
    | 'storage_full'
    | 'limit_reached'
    /** Another engine has passed the start fence (`StartLock`). */
    | 'taken'
    | 'cancelled'
    | 'other';
  readonly message: string;
}

/** How a process ended: an exit code or a signal, never both. */
export interface ExitResult extends Pick<AttemptExit, 'exitCode' | 'signal'> {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
  /** Message about output that could not be stored. */
  readonly outputError?: string;
  /**
   * The process has ended, but its end was not observed: neither an exit code nor a signal is known. No exit record is
   * written.
   */
  readonly lost?: true;
}

/** A started step process, leader of its own session and process group. */
export interface LaunchedProcess {
  readonly pid: number;
  /** Start time as the system counts it; empty where it is not cheaply available. See `ProcessIdentity`. */
  readonly pidStart: string;
  /**
   * Resolves when the process and the rest of its group have ended, its output is in the files, and its exit record is
   * written. Never rejects.
   */
  readonly ended: Promise<ExitResult>;
  /**
   * Sends the stop signal to the whole tree, and SIGKILL to the rest after the clean-up time. Further calls do nothing.
   */
  stop(): void;
  /** Sends SIGKILL to the whole tree at once. */
  kill(): void;
}

/** An attempt that an earlier engine, or a lost supervisor, has started. */
export interface AttachRequest {
  /** Absolute path: the attempt's tag. */
  readonly attemptDir: string;
  /** As recorded; absent when the engine was lost before it could record it. */
  readonly pid?: number | undefined;
  readonly pidStart?: string | undefined;
  /** As in `LaunchRequest`. */
  readonly stopSignal: NodeJS.Signals;
  readonly cleanUpMs: number;
}

/** The variable that marks every process of an attempt; its value is the attempt's directory. */
export const tagVariable = 'ENGINE_ATTEMPT_DIR';

/**
 * Called for each process of a step that is started or reattached. The returned function is called when the process has
 * ended, and awaited before its end is reported.
 */
export type ProcessWatcher = (process: WatchedAttempt) => () => Promise<void> | void;

/** A live process of an attempt. */
export interface WatchedAttempt {
  readonly pid: number;
  /** Absolute path. */
  readonly attemptDir: string;
}

/** Starts step processes: either from the engine's own process or through a supervisor process. */
export interface ProcessLauncher {
  launch(request: LaunchRequest): Promise<Result<LaunchedProcess, LaunchFailure>>;
  /**
   * Reattaches to the process of an attempt that this launcher has not started: `ended` resolves with its exit record,
   * or with `lost` when the process has been dead for a second without one. The process may have ended already; then
   * the rest of its group is ended too. Only processes with the recorded start time, or with the attempt's tag, are
   * ever signalled: a reused pid is left alone.
   * @returns undefined when there is neither a pid nor a live process with the attempt's tag: then its exit record, or
   * the start fence, determines its outcome. Always undefined on systems without a process table (only Linux has one).
   */
  attach(request: AttachRequest): LaunchedProcess | undefined;
  /** Detaches its processes from this engine: they no longer keep the event loop alive. */
  release(): void;
}
