import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { LineTally } from './line-tally.ts';

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
  /** In order of last use. */
  readonly #tallies = new Map<string, { readonly stdout: LineTally; readonly stderr: LineTally }>();

  /** @param after how many times have been read already */
  async read(folder: string, after: number): Promise<Times> {
    const records = await readTimeRecords(folder);
    const next = Math.max(after, Math.min(after + maxTimestamps, records.length));
    const earlierRecords = records.slice(0, next);
    const { stdout, stderr } = this.#tallyOf(folder);
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

  #tallyOf(folder: string): { readonly stdout: LineTally; readonly stderr: LineTally } {
    const known = this.#tallies.get(folder) ?? {
      stdout: new LineTally(join(folder, attemptFiles.stdout)),
      stderr: new LineTally(join(folder, attemptFiles.stderr)),
    };
    this.#tallies.delete(folder);
    this.#tallies.set(folder, known);
    for (const oldest of this.#tallies.keys()) {
      if (this.#tallies.size <= capacity) break;
      this.#tallies.delete(oldest);
    }
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
