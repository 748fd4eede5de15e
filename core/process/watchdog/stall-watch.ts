import { exitCodes } from '../../base/error-codes.ts';

/** Indexes in the memory that the main thread and the watchdog thread share, as 32-bit integers. */
export const cells = {
  /** Changes with each event-loop tick of the main thread. */
  beat: 0,
  /** 1 while a debugger may have halted the main thread. */
  debugged: 1,
  /** Longest clean-up time of the runs that this process drives, milliseconds. */
  cleanUpMs: 2,
  /** One of `signalModes`. */
  signals: 3,
} as const;
export const cellCount = 4;

/** Effect of a SIGTERM or SIGINT, for the watchdog. */
export const signalModes = {
  /** The signal itself ends the process. */
  unhandled: 0,
  /** The process handles signals and may take its time as long as its event loop runs. */
  whileBlocked: 1,
  /** The process handles signals and has to end in time in any case. */
  always: 2,
} as const;

/** Durations in milliseconds. */
export interface StallLimits {
  /** Interval of the checks. */
  readonly tickMs: number;
  /** A block of this length is recorded on disk, in case the process dies of it. */
  readonly noteMs: number;
  /** A block of this length is logged. */
  readonly warnMs: number;
  /** A block of this length ends the process. */
  readonly endMs: number;
  /** Time that a process has to end after a signal, in addition to the clean-up time of its runs. */
  readonly graceMs: number;
}

/** The state that the main thread reports while it is blocked. */
export interface StallReport {
  readonly stack: string;
  /** Description for display; absent when its activity is unknown to the watchdog. */
  readonly activity?: string;
  /** Key for counting crashes; absent for work that is never quarantined. */
  readonly id?: string;
}

/** Actions of the watchdog. */
export interface StallActions {
  /**
   * Interrupts the main thread and requests its state; resolves with undefined while it is in native code. Never
   * rejects.
   */
  captureReport(): Promise<StallReport | undefined>;
  log(message: string, fields: Readonly<Record<string, string>>): void;
  note(report: StallReport, blockedMs: number): void;
  forget(): void;
  /** Ends the process. Called with each check until the process has ended. */
  end(code: number): void;
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Decides what to do about a main thread whose event loop is blocked. Time counts only while this thread itself is
 * running: a machine that slept and a process that was halted add at most two ticks.
 */
export class StallWatch {
  readonly #cells: Int32Array;
  readonly #limits: StallLimits;
  readonly #actions: StallActions;
  #beat = 0;
  #blockedMs = 0;
  #signal: { readonly name: keyof typeof signalNumbers; ms: number } | undefined;
  #report: StallReport | undefined;
  #isCapturing = false;
  #isRecorded = false;
  #hasWarned = false;
  #endCode: number | undefined;

  constructor(memory: Int32Array, limits: StallLimits, actions: StallActions) {
    this.#cells = memory;
    this.#limits = limits;
    this.#actions = actions;
  }

  /** Records a signal that the main thread handles, or should handle. Only the first one counts. */
  signal(name: keyof typeof signalNumbers): void {
    this.#signal ??= { name, ms: 0 };
  }

  /** @param elapsedMs since the previous check */
  tick(elapsedMs: number): void {
    const counted = Math.min(elapsedMs, 2 * this.#limits.tickMs);
    if (this.#endCode !== undefined) return this.#actions.end(this.#endCode);
    const beat = Atomics.load(this.#cells, cells.beat);
    const isResponsive = beat !== this.#beat || Atomics.load(this.#cells, cells.debugged) === 1;
    this.#beat = beat;
    if (isResponsive) this.#onResponsive();
    else this.#onBlocked(counted);
    if (this.#signal !== undefined) this.#countSignal(this.#signal, counted);
  }

  #onResponsive(): void {
    if (this.#hasWarned)
      this.#actions.log(`The event loop is responsive again after ${seconds(this.#blockedMs)}.`, {});
    if (this.#isRecorded) this.#actions.forget();
    this.#blockedMs = 0;
    this.#report = undefined;
    this.#isRecorded = false;
    this.#hasWarned = false;
  }

  #onBlocked(countedMs: number): void {
    this.#blockedMs += countedMs;
    const { noteMs, warnMs, endMs } = this.#limits;
    if (this.#blockedMs < noteMs) return;
    if (this.#report?.id === undefined) void this.#captureReport();
    if (this.#blockedMs >= warnMs && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#log(`The event loop has been blocked for ${seconds(this.#blockedMs)}`);
    }
    if (this.#blockedMs >= endMs) this.#end(exitCodes.stalled);
  }

  /**
   * Asks again until the main thread names an activity whose crashes count: a block may have several causes in a row.
   */
  async #captureReport(): Promise<void> {
    if (this.#isCapturing) return;
    this.#isCapturing = true;
    const report = await this.#actions.captureReport();
    this.#isCapturing = false;
    if (report === undefined || this.#blockedMs < this.#limits.noteMs) return;
    this.#report = report;
    if (report.id === undefined) return;
    this.#isRecorded = true;
    this.#actions.note(report, this.#blockedMs);
  }

  #countSignal(signal: { readonly name: keyof typeof signalNumbers; ms: number }, countedMs: number): void {
    signal.ms += countedMs;
    const mode = Atomics.load(this.#cells, cells.signals);
    const isDue = signal.ms >= Atomics.load(this.#cells, cells.cleanUpMs) + this.#limits.graceMs;
    if (!isDue || mode === signalModes.unhandled) return;
    const isBlocked = this.#blockedMs >= this.#limits.noteMs;
    if (mode === signalModes.always || isBlocked) this.#end(128 + signalNumbers[signal.name]);
  }

  #end(code: number): void {
    this.#endCode = code;
    const cause =
      code === exitCodes.stalled
        ? `The event loop has been blocked for ${seconds(this.#blockedMs)}`
        : `The process has not ended ${seconds(this.#signal?.ms ?? 0)} after ${this.#signal?.name}`;
    this.#log(`${cause}; ending the process with exit code ${code}`);
    this.#actions.end(code);
  }

  #log(text: string): void {
    const { activity, stack = 'The main thread is in native code and has no stack to show.' } =
      this.#report ?? {};
    this.#actions.log(`${text}${activity === undefined ? '' : ` while working on ${activity}`}.`, { stack });
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
