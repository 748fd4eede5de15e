import { appendFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exitJournal } from '../../model/run/attempt-files.ts';
import type { AttemptExit } from '../../model/run/run-event.ts';
import type { ExitResult } from '../launch/launcher.ts';
import { readOptionalFile } from './read-optional-file.ts';

/** How an attempt ended, for readers after the engine that saw it has ended. */
export interface ExitRecord extends AttemptExit {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
}

/**
 * Appends an attempt's end to the journal next to its directory: one append costs a hundredth of a separate file. It
 * survives the death of every process; it is not synced, because after a power failure its processes have ended too.
 * Throws file system errors.
 */
export function writeExitRecord(attemptDir: string, record: ExitRecord): void {
  // The line break comes first, so that a line truncated by a full disk does not corrupt the next one.
  const line = `\n${JSON.stringify({ dir: basename(attemptDir), ...record })}`;
  appendFileSync(join(dirname(attemptDir), exitJournal), line, { mode: 0o600 });
}

/** Writes the record of a known end, if possible. */
export function recordEnd(attemptDir: string, { outputError, lost, ...end }: ExitResult): void {
  if (lost) return;
  try {
    writeExitRecord(attemptDir, outputError === undefined ? end : { ...end, error: outputError });
  } catch {
    // A full disk or a deleted log directory must not prevent the engine from learning how the step ended.
  }
}

/** Returns the record of an ended attempt; undefined when it has none, or a truncated one. */
export const readExitRecord = (attemptDir: string): ExitRecord | undefined =>
  readExitJournal(dirname(attemptDir)).get(basename(attemptDir));

/** Returns all records of a run by the name of the attempt's directory; the last one counts. */
export function readExitJournal(runDir: string): Map<string, ExitRecord> {
  const records = new Map<string, ExitRecord>();
  for (const line of readOptionalFile(join(runDir, exitJournal)).split('\n')) {
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
