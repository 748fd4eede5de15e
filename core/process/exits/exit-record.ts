import { appendFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exitJournal } from '../../model/run/attempt-files.ts';
import type { AttemptEnd } from '../../model/run/run-event.ts';
import type { ProcessEnd } from '../launch/launcher.ts';
import { readIfThere } from './read-if-there.ts';

/** How an attempt ended, as found after the engine that saw it is gone. */
export interface ExitRecord extends AttemptEnd {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
}

/**
 * Adds an attempt's end to the journal beside its directory: one append, a hundredth of the price of a file of
 * its own. It survives the death of every process; it is not synced, because after a power cut the
 * processes it speaks of are gone, too. Throws what the file system throws.
 */
export function writeExitRecord(attemptDir: string, record: ExitRecord): void {
  // The line break comes first, so that a line cut short by a full disk does not spoil the next one.
  const line = `\n${JSON.stringify({ dir: basename(attemptDir), ...record })}`;
  appendFileSync(join(dirname(attemptDir), exitJournal), line, { mode: 0o600 });
}

/** Writes the record of an end that is known, if it can be written. */
export function recordEnd(attemptDir: string, { outputError, lost, ...end }: ProcessEnd): void {
  if (lost) return;
  try {
    writeExitRecord(attemptDir, outputError === undefined ? end : { ...end, error: outputError });
  } catch {
    // A full disk or a deleted log directory must not keep the engine from learning how the step ended.
  }
}

/** The record of an ended attempt; undefined when it has none, or one that was cut short. */
export const readExitRecord = (attemptDir: string): ExitRecord | undefined =>
  readExitJournal(dirname(attemptDir)).get(basename(attemptDir));

/** All records of a run by the name of the attempt's directory; the last one counts. */
export function readExitJournal(runDir: string): Map<string, ExitRecord> {
  const records = new Map<string, ExitRecord>();
  for (const line of readIfThere(join(runDir, exitJournal)).split('\n')) {
    const entry = parseEntry(line);
    if (entry) records.set(entry.dir, entry.record);
  }
  return records;
}

function parseEntry(line: string): { dir: string; record: ExitRecord } | undefined {
  try {
    const { dir, ...record } = JSON.parse(line) as Partial<Record<keyof ExitRecord | 'dir', unknown>>;
    return typeof dir === 'string' && isExitRecord(record) ? { dir, record } : undefined;
  } catch {
    return undefined;
  }
}

function isExitRecord(record: Partial<Record<keyof ExitRecord, unknown>>): record is ExitRecord {
  return (
    typeof record.finishedAt === 'number' &&
    (record.exitCode === undefined || Number.isInteger(record.exitCode)) &&
    (record.signal === undefined || typeof record.signal === 'string') &&
    (record.error === undefined || typeof record.error === 'string')
  );
}
