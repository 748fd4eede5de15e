import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { writeFileDurable } from '../write-file-durable.ts';

/** An entry of the desktop app's keychain: the encrypted value in Base64. */
export interface SealedEntry {
  readonly sealed: string;
  readonly changedAt: string;
}

/** The file in which the desktop app of release 0.1.0 stored secrets; they are moved to the secret store. */
export const keychainFile = (home: string): string => path.join(home, 'desktop', 'keychain.json');

/**
 * Reads the entries that were not moved yet. A damaged file is never overwritten.
 * @throws `invalid_config` for a damaged file
 */
export function readKeychainFile(file: string): Readonly<Record<string, SealedEntry>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError('home_unusable', `Could not read ${file}: ${(error as Error).message}`);
  }
  try {
    const { entries } = JSON.parse(text) as { entries?: Record<string, SealedEntry> };
    if (entries !== undefined && Object.values(entries).every(isEntry)) return entries;
  } catch {
    // Reported below.
  }
  throw new AppError(
    'invalid_config',
    `${file} is corrupt. Restore a backup, or delete it and enter the secrets again.`,
  );
}

const isEntry = (value: unknown): value is SealedEntry =>
  typeof (value as SealedEntry | null)?.sealed === 'string';

/** Writes the entries atomically, readable by this user only. */
export function writeKeychainFile(file: string, entries: Readonly<Record<string, SealedEntry>>): void {
  writeFileDurable(file, `${JSON.stringify({ entries }, undefined, 2)}\n`);
}
