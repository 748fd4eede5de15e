import { LruCache } from '../../base/lru-cache.ts';
import { readFile, appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFiles } from '../../model/run.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { openLog, readFully } from './log-source.ts';

/** Times, and how many lines of each stream were finished by then. */
export interface Times {
  readonly at: number[];
  readonly stdout: number[];
  readonly stderr: number[];
  /** Where to continue reading. */
  readonly next: number;
  readonly more: boolean;
}

/** Most times in one response. */
const maxTimestamps = 5_000;
/** Number of attempts whose counts are cached. */
const capacity = 32;

interface TimeRecord {
  readonly at: number;
  readonly stdout: number;
  readonly stderr: number;
}

/** Converts the recorded byte counts of attempts (`OutputTimes`) to lines. */
export class TimedLogs {
  readonly #tallies = new LruCache<string, { readonly stdout: LineTally; readonly stderr: LineTally }>(
    capacity,
  );

  /** @param after how many times have been read already */
  async read(folder: string, after: number): Promise<Times> {
    const records = await readTimeRecords(folder);
    const next = Math.max(after, Math.min(after + maxTimestamps, records.length));
    const earlierRecords = records.slice(0, next);
    const { stdout, stderr } = this.#getTally(folder);
    // Earlier ones are known by now, unless reading starts in the middle.
    const counts = await Promise.all([
      stdout.countUpTo(earlierRecords.map((record) => record.stdout)),
      stderr.countUpTo(earlierRecords.map((record) => record.stderr)),
    ]);
    return {
      at: earlierRecords.slice(after).map(({ at }) => at),
      stdout: counts[0].slice(after),
      stderr: counts[1].slice(after),
      next,
      more: next < records.length,
    };
  }

  #getTally(folder: string): { readonly stdout: LineTally; readonly stderr: LineTally } {
    const known = this.#tallies.get(folder) ?? {
      stdout: new LineTally(join(folder, attemptFiles.stdout)),
      stderr: new LineTally(join(folder, attemptFiles.stderr)),
    };
    this.#tallies.set(folder, known);
    return known;
  }
}

/** Returns the records in order; ignores a line that was truncated by a full disk or a power failure. */
async function readTimeRecords(folder: string): Promise<TimeRecord[]> {
  const text = await readFile(join(folder, attemptFiles.times), 'utf8').catch(() => '');
  const records: TimeRecord[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const [at, stdout, stderr, ...more] = line.split(' ').map(Number);
    if (more.length > 0 || at === undefined || stdout === undefined || stderr === undefined) continue;
    const last = records.at(-1);
    // Times never decrease, even if a clock was set back or a log was emptied.
    if (![at, stdout, stderr].every(Number.isSafeInteger) || at < (last?.at ?? 0)) continue;
    if (stdout < (last?.stdout ?? 0) || stderr < (last?.stderr ?? 0)) continue;
    records.push({ at, stdout, stderr });
  }
  return records;
}

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
      getSize(join(folder, attemptFiles.stdout)),
      getSize(join(folder, attemptFiles.stderr)),
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

const getSize = async (file: string): Promise<number> => (await stat(file)).size;

const newline = 10;
const chunkBytes = 262_144;

/** Counts the lines of a growing file that end before certain offsets, without reading any part twice. */
class LineTally {
  readonly #file: string;
  #identity: string | undefined;
  #bytes = 0;
  #lines = 0;
  /** Earlier results, in case they are requested again. */
  readonly #known = new Map<number, number>([[0, 0]]);
  #counting: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * @param offsets bytes, in ascending order
   * @throws `home_unusable`
   */
  countUpTo(offsets: readonly number[]): Promise<number[]> {
    const counting = this.#counting.then(() => this.#count(offsets));
    this.#counting = counting.catch(() => {});
    return counting;
  }

  async #count(offsets: readonly number[]): Promise<number[]> {
    if (offsets.every((offset) => this.#known.has(offset)))
      return offsets.map((offset) => this.#known.get(offset)!);
    await using log = await openLog(this.#file);
    if (!log) return offsets.map(() => 0);
    if (log.identity !== this.#identity || log.size < this.#bytes) this.#restart(log.identity);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const counts: number[] = [];
    for (const offset of offsets) {
      while (this.#bytes < offset && !this.#known.has(offset)) {
        const readLength = Math.min(chunkBytes, offset - this.#bytes);
        const chunk = await readFully(log.handle, buffer.subarray(0, readLength), this.#bytes);
        if (chunk.length === 0) break;
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) this.#lines += 1;
        this.#bytes += chunk.length;
      }
      const lines = this.#known.get(offset) ?? this.#lines;
      this.#known.set(offset, lines);
      counts.push(lines);
    }
    return counts;
  }

  #restart(identity: string): void {
    this.#identity = identity;
    this.#bytes = 0;
    this.#lines = 0;
    this.#known.clear();
    this.#known.set(0, 0);
  }
}
