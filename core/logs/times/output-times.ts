import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { attemptFiles } from '../../model/run/attempt-files.ts';

/** Polling interval of growing output, in milliseconds. */
export const noteEveryMs = 200;
/** Polls without growth after which output is only polled occasionally. */
const looksUntilQuiet = 10;
const quietLooks = 5;
/** The older an attempt, the fewer records are written: one per this part of its age. */
const notesPerAge = 20_000;

interface Attempt {
  readonly folder: string;
  readonly begunAt: number;
  /** Number of running processes of the attempt. */
  processes: number;
  stdout: number;
  stderr: number;
  /** On the monotonic clock. */
  notedAt: number;
  silentLooks: number;
  hasNotes: boolean;
  looking: Promise<void>;
}

/**
 * Records the sizes of an attempt's output over time, in a file next to it: one line for each time at which it has
 * grown, with the time and the bytes of stdout and stderr. Output bypasses the engine on its way to the files, so
 * polling is the only way to know; output that ends before the first poll gets no file.
 */
export class OutputTimes {
  readonly #clock: Clock;
  readonly #attempts = new Map<string, Attempt>();
  #stopTimer: Dispose | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts to watch the attempt in a directory. Call the returned function at its end; it resolves when the last size
   * is recorded.
   */
  watch(folder: string): () => Promise<void> {
    const attempt = this.#attempts.get(folder) ?? this.#begin(folder);
    attempt.processes += 1;
    this.#stopTimer ??= this.#clock.every(noteEveryMs, () => this.#lookAtAll());
    let isOver = false;
    return async () => {
      if (isOver) return;
      isOver = true;
      attempt.processes -= 1;
      if (attempt.processes > 0) return;
      this.#attempts.delete(folder);
      if (this.#attempts.size === 0) this.#stop();
      if (attempt.hasNotes) await this.#look(attempt);
    };
  }

  #begin(folder: string): Attempt {
    const now = this.#clock.monotonic();
    const attempt: Attempt = {
      folder,
      begunAt: now,
      processes: 0,
      stdout: 0,
      stderr: 0,
      notedAt: now,
      silentLooks: 0,
      hasNotes: false,
      looking: Promise.resolve(),
    };
    this.#attempts.set(folder, attempt);
    return attempt;
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #lookAtAll(): void {
    const now = this.#clock.monotonic();
    for (const attempt of this.#attempts.values()) {
      attempt.silentLooks += 1;
      if (attempt.silentLooks > looksUntilQuiet && attempt.silentLooks % quietLooks !== 0) continue;
      if (now - attempt.notedAt < (now - attempt.begunAt) / notesPerAge) continue;
      void this.#look(attempt);
    }
  }

  /** Polls one after the other; failed records are dropped. */
  #look(attempt: Attempt): Promise<void> {
    attempt.looking = attempt.looking.then(() => this.#record(attempt)).catch(() => {});
    return attempt.looking;
  }

  async #record(attempt: Attempt): Promise<void> {
    const { folder } = attempt;
    const at = this.#clock.now();
    const [stdout, stderr] = await Promise.all([
      sizeOf(join(folder, attemptFiles.stdout)),
      sizeOf(join(folder, attemptFiles.stderr)),
    ]);
    if (stdout === attempt.stdout && stderr === attempt.stderr) return;
    const note = `${at} ${stdout} ${stderr}\n`;
    await appendFile(join(folder, attemptFiles.times), note, { mode: 0o600 });
    attempt.stdout = stdout;
    attempt.stderr = stderr;
    attempt.silentLooks = 0;
    attempt.notedAt = this.#clock.monotonic();
    attempt.hasNotes = true;
  }
}

const sizeOf = async (file: string): Promise<number> => (await stat(file)).size;
