import type { Result } from '../base/result.ts';
import type { AttemptEnd } from '../model/run-event.ts';

/** A process to start, with everything it gets. Nothing of it is read as shell text. */
export interface LaunchRequest {
  /** Program and arguments; a program without a slash is searched in the `PATH` of `env`. */
  readonly argv: readonly string[];
  /** The complete environment; the launcher adds only the attempt's tag. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; must exist. */
  readonly cwd: string;
  /** Absolute, exists. Receives `stdout.log` and `stderr.log`; the exit record goes to the journal beside it. The attempt's tag. */
  readonly attemptDir: string;
  /** Sent to the process group on `stop`. */
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds between `stopSignal` and SIGKILL. */
  readonly cleanUpMs: number;
  /** Windows: hand the arguments over as they are, without quoting (for `cmd.exe`). */
  readonly verbatimArguments?: boolean;
  /** Asked before a start that had to wait for a free process slot is tried again. */
  isCancelled(): boolean;
}

/** Why no process was started; `message` says it to the user. */
export interface LaunchFailure {
  readonly reason:
    | 'no_working_directory'
    | 'not_found'
    | 'not_executable'
    | 'too_big'
    | 'storage_full'
    | 'limit_reached'
    | 'cancelled'
    | 'other';
  readonly message: string;
}

/** How a process ended: an exit code or a signal, never both. */
export interface ProcessEnd extends Pick<AttemptEnd, 'exitCode' | 'signal'> {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
}

/** A started step process, leader of its own session and process group. */
export interface LaunchedProcess {
  readonly pid: number;
  /** Start time as the system counts it; empty where it cannot be had cheaply. See `ProcessIdentity`. */
  readonly pidStart: string;
  /**
   * Resolves when the process has ended, its exit record is written, and what it left behind in its group is
   * gone, too. Never rejects.
   */
  readonly ended: Promise<ProcessEnd>;
  /** The stop signal to the whole tree, SIGKILL to what is left after the clean-up time. Again: nothing. */
  stop(): void;
  /** SIGKILL to the whole tree at once. */
  kill(): void;
}

/** The variable that marks every process of an attempt; its value is the attempt's directory. */
export const tagVariable = 'ENGINE_ATTEMPT_DIR';

/** Starts step processes. The engine's own spawning is one way; a supervisor process is another (DESIGN D5). */
export interface ProcessLauncher {
  launch(request: LaunchRequest): Promise<Result<LaunchedProcess, LaunchFailure>>;
  /** Lets its processes go on without this engine: they no longer keep the event loop alive. */
  release(): void;
}
