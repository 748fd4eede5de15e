import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { attemptFiles } from '../../model/run/attempt-files.ts';

/** Polling interval of growing output, in milliseconds. */
export const recordIntervalMs = 200;
/** Polls without growth after which output is only polled occasionally. */
const idleAfterPolls = 10;
const idlePollInterval = 5;
/** The older an attempt, the fewer records are written: one per this part of its age. */
const maxRecords = 20_000;

interface Attempt {
  readonly folder: string;
  readonly startedAt: number;
  /** Number of running processes of the attempt. */
  processes: number;
  stdout: number;
  stderr: number;
  /** On the monotonic clock. */
  recordedAt: number;
  unchangedPolls: number;
  hasRecords: boolean;
  polling: Promise<void>;
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
    this.#stopTimer ??= this.#clock.every(recordIntervalMs, () => this.#pollAll());
    let isStopped = false;
    return async () => {
      if (isStopped) return;
      isStopped = true;
      attempt.processes -= 1;
      if (attempt.processes > 0) return;
      this.#attempts.delete(folder);
      if (this.#attempts.size === 0) this.#stop();
      if (attempt.hasRecords) await this.#poll(attempt);
    };
  }

  #begin(folder: string): Attempt {
    const now = this.#clock.monotonic();
    const attempt: Attempt = {
      folder,
      startedAt: now,
      processes: 0,
      stdout: 0,
      stderr: 0,
      recordedAt: now,
      unchangedPolls: 0,
      hasRecords: false,
      polling: Promise.resolve(),
    };
    this.#attempts.set(folder, attempt);
    return attempt;
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #pollAll(): void {
    const now = this.#clock.monotonic();
    for (const attempt of this.#attempts.values()) {
      attempt.unchangedPolls += 1;
      if (attempt.unchangedPolls > idleAfterPolls && attempt.unchangedPolls % idlePollInterval !== 0)
        continue;
      if (now - attempt.recordedAt < (now - attempt.startedAt) / maxRecords) continue;
      void this.#poll(attempt);
    }
  }

  /** Polls one after the other; failed records are dropped. */
  #poll(attempt: Attempt): Promise<void> {
    attempt.polling = attempt.polling.then(() => this.#record(attempt)).catch(() => {});
    return attempt.polling;
  }

  async #record(attempt: Attempt): Promise<void> {
    const { folder } = attempt;
    const at = this.#clock.now();
    const [stdout, stderr] = await Promise.all([
      sizeOf(join(folder, attemptFiles.stdout)),
      sizeOf(join(folder, attemptFiles.stderr)),
    ]);
    if (stdout === attempt.stdout && stderr === attempt.stderr) return;
    const line = `${at} ${stdout} ${stderr}\n`;
    await appendFile(join(folder, attemptFiles.times), line, { mode: 0o600 });
    attempt.stdout = stdout;
    attempt.stderr = stderr;
    attempt.unchangedPolls = 0;
    attempt.recordedAt = this.#clock.monotonic();
    attempt.hasRecords = true;
  }
}

const sizeOf = async (file: string): Promise<number> => (await stat(file)).size;
