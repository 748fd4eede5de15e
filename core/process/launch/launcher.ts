import type { Transform } from 'node:stream';
import type { Result } from '../../base/result.ts';
import type { AttemptEnd } from '../../model/run/run-event.ts';
import type { TerminalSize } from '../../model/workflow/step.ts';

/**
 * Output that goes through the engine on its way into the attempt's files. A process with a relay cannot go on
 * without the engine that started it: when that dies, its pipes are closed and the next write ends it (SIGPIPE).
 * So a take-over cannot re-attach to such a step.
 */
export interface OutputRelay {
  /** Makes what a stream passes through first, one for each stream: hides secrets. */
  readonly mask?: ((stream: 'stdout' | 'stderr') => Transform) | undefined;
  /** The same for what is said of the output, which is kept beside it. */
  hide?(text: string): string;
  /**
   * Absolute paths of files that get what the logs get, at their end; they and their folders are made when missing.
   * Both may name the same file.
   */
  readonly copies: { readonly stdout?: string | undefined; readonly stderr?: string | undefined };
}

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
  /** One of several processes of the attempt: how it ends is not how the attempt ends, and goes on no record. */
  readonly isPart?: boolean;
  /**
   * Runs in a pseudo-terminal of this size, whose whole output goes into `stdout.log` by way of the engine. Like a
   * process with a relay it does not outlive the engine.
   */
  readonly terminal?: TerminalSize | undefined;
  /** Without it the process writes straight into its files. */
  readonly relay?: OutputRelay | undefined;
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
    /** Somebody else has passed the start fence (`StartFence`). */
    | 'taken'
    | 'cancelled'
    | 'other';
  readonly message: string;
}

/** How a process ended: an exit code or a signal, never both. */
export interface ProcessEnd extends Pick<AttemptEnd, 'exitCode' | 'signal'> {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
  /** What of its output could not be kept, and why. */
  readonly outputError?: string;
  /**
   * It is gone, and nobody who saw its end is there any more: neither an exit code nor a signal is known, and none is
   * made up. No exit record is written.
   */
  readonly lost?: true;
}

/** A started step process, leader of its own session and process group. */
export interface LaunchedProcess {
  readonly pid: number;
  /** Start time as the system counts it; empty where it cannot be had cheaply. See `ProcessIdentity`. */
  readonly pidStart: string;
  /**
   * Resolves when the process has ended, what it left behind in its group is gone, everything it wrote is in the
   * files, and its exit record is written. Never rejects.
   */
  readonly ended: Promise<ProcessEnd>;
  /** The stop signal to the whole tree, SIGKILL to what is left after the clean-up time. Again: nothing. */
  stop(): void;
  /** SIGKILL to the whole tree at once. */
  kill(): void;
}

/** An attempt that an earlier engine, or a supervisor that is gone, has started. */
export interface AttachRequest {
  /** Absolute: the attempt's tag. */
  readonly attemptDir: string;
  /** As recorded; absent when the engine was lost before it could record them. */
  readonly pid?: number | undefined;
  readonly pidStart?: string | undefined;
  /** As in `LaunchRequest`. */
  readonly stopSignal: NodeJS.Signals;
  readonly cleanUpMs: number;
}

/** The variable that marks every process of an attempt; its value is the attempt's directory. */
export const tagVariable = 'ENGINE_ATTEMPT_DIR';

/** Starts step processes. The engine's own spawning is one way; a supervisor process is another. */
export interface ProcessLauncher {
  launch(request: LaunchRequest): Promise<Result<LaunchedProcess, LaunchFailure>>;
  /**
   * Takes up the process of an attempt that this launcher has not started: `ended` resolves with its exit record, or
   * with `lost` when it is gone for a second without one. A process that has ended already may be asked for by its
   * pid as well; what it left behind in its group is ended then, too. Only processes with the recorded start time, or
   * with the attempt's tag, are ever signalled: a pid that somebody else has by now is left alone.
   * @returns undefined when there is neither a pid nor a living process with the attempt's tag: then its exit record,
   *   or the start fence, tells what became of it. Always where the system has no table of processes (only Linux has).
   */
  attach(request: AttachRequest): LaunchedProcess | undefined;
  /** Lets its processes go on without this engine: they no longer keep the event loop alive. */
  release(): void;
}
