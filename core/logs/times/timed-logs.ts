import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { LineTally } from './line-tally.ts';

/** Moments, and how many lines of each stream were finished by then. */
export interface Times {
  readonly at: number[];
  readonly stdout: number[];
  readonly stderr: number[];
  /** To read on from. */
  readonly next: number;
  readonly more: boolean;
}

/** Moments of one answer. */
const mostMoments = 5_000;
/** Attempts whose counts are kept. */
const capacity = 32;

interface Note {
  readonly at: number;
  readonly stdout: number;
  readonly stderr: number;
}

/** Makes lines of the bytes that are noted of attempts (`OutputTimes`). */
export class TimedLogs {
  /** In the order of last use. */
  readonly #tallies = new Map<string, { readonly stdout: LineTally; readonly stderr: LineTally }>();

  /** @param after how many moments have been read already */
  async read(folder: string, after: number): Promise<Times> {
    const notes = await readNotes(folder);
    const next = Math.max(after, Math.min(after + mostMoments, notes.length));
    const upTo = notes.slice(0, next);
    const { stdout, stderr } = this.#tallyOf(folder);
    // Those before are known by now, unless somebody begins in the middle.
    const counts = await Promise.all([
      stdout.countUpTo(upTo.map((note) => note.stdout)),
      stderr.countUpTo(upTo.map((note) => note.stderr)),
    ]);
    return {
      at: upTo.slice(after).map(({ at }) => at),
      stdout: counts[0].slice(after),
      stderr: counts[1].slice(after),
      next,
      more: next < notes.length,
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

/** In order; a line that was cut short, by a full disk or a power cut, counts for nothing. */
async function readNotes(folder: string): Promise<Note[]> {
  const text = await readFile(join(folder, attemptFiles.times), 'utf8').catch(() => '');
  const notes: Note[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const [at, stdout, stderr, ...more] = line.split(' ').map(Number);
    if (more.length > 0 || at === undefined || stdout === undefined || stderr === undefined) continue;
    const last = notes.at(-1);
    // A clock that was set back, and a log that was emptied, do not make time run backwards.
    if (![at, stdout, stderr].every(Number.isSafeInteger) || at < (last?.at ?? 0)) continue;
    if (stdout < (last?.stdout ?? 0) || stderr < (last?.stderr ?? 0)) continue;
    notes.push({ at, stdout, stderr });
  }
  return notes;
}
