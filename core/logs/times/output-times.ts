import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { attemptFiles } from '../../model/run/attempt-files.ts';

/** Time between two looks at output that grows. */
export const noteEveryMs = 200;
/** Looks without growth after which output is looked at only now and then. */
const looksUntilQuiet = 10;
const quietLooks = 5;
/** The older an attempt, the rarer the notes, so that they stay few: one for this part of its age. */
const notesPerAge = 20_000;

interface Attempt {
  readonly folder: string;
  readonly begunAt: number;
  /** Processes of the attempt that are running. */
  processes: number;
  stdout: number;
  stderr: number;
  /** By the monotonic clock. */
  notedAt: number;
  silentLooks: number;
  hasNotes: boolean;
  looking: Promise<void>;
}

/**
 * Notes how far the output of attempts reaches at which times, into a file beside it: one line for each time at which
 * it has grown, with the time and the bytes of stdout and stderr. Output goes straight into its files and no byte of it
 * through the engine, so looking is the only way to know; what is over before the first look gets no file.
 */
export class OutputTimes {
  readonly #clock: Clock;
  readonly #attempts = new Map<string, Attempt>();
  #stopTimer: Dispose | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins with the attempt in a folder. To be disposed of at its end; resolves when the last of it is noted. */
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

  /** One look after the other; what cannot be noted is not. */
  #look(attempt: Attempt): Promise<void> {
    attempt.looking = attempt.looking.then(() => this.#note(attempt)).catch(() => {});
    return attempt.looking;
  }

  async #note(attempt: Attempt): Promise<void> {
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
