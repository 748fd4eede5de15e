import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '../model/attempt-files.ts';
import type { AttemptEnd } from '../model/run-event.ts';

/** How an attempt ended, as found in its directory after the engine that saw it is gone. */
export interface ExitRecord extends AttemptEnd {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
}

/**
 * Writes `exit.json` whole or not at all: a reader never sees half of it. It survives the death of every process;
 * it is not synced, because after a power cut the processes it speaks of are gone, too.
 * Throws what the file system throws.
 */
export function writeExitRecord(attemptDir: string, record: ExitRecord): void {
  const file = join(attemptDir, attemptFiles.exit);
  writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The record of an ended attempt; undefined when it has none, or one that a power cut left damaged. */
export function readExitRecord(attemptDir: string): ExitRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(attemptDir, attemptFiles.exit), 'utf8'));
    return isExitRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isExitRecord(value: unknown): value is ExitRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof ExitRecord, unknown>>;
  return (
    typeof record.finishedAt === 'number' &&
    (record.exitCode === undefined || Number.isInteger(record.exitCode)) &&
    (record.signal === undefined || typeof record.signal === 'string') &&
    (record.error === undefined || typeof record.error === 'string')
  );
}
