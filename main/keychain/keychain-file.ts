import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { AppError } from '../../core/base/errors.ts';
import { writeFileDurable } from '../../core/files/write-file-durable.ts';

const Entries = Type.Record(
  Type.String(),
  Type.Object({
    /** The encrypted value, in Base64. */
    sealed: Type.String(),
    changedAt: Type.String(),
  }),
);
const Content = Type.Object({ entries: Entries });
export type SealedEntries = Static<typeof Entries>;

/**
 * Reads the encrypted values. A damaged file is never overwritten.
 * @throws `invalid_config` for a damaged file
 */
export function readKeychainFile(file: string): SealedEntries {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError('home_unusable', `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (Check(Content, content)) return content.entries;
  } catch {
    // Reported below.
  }
  throw new AppError(
    'invalid_config',
    `${file} is corrupt; restore a copy, or move it away and enter the secrets again`,
  );
}

/** Writes the values atomically, readable by this user only. */
export function writeKeychainFile(file: string, entries: SealedEntries): void {
  writeFileDurable(file, `${JSON.stringify({ entries }, undefined, 2)}\n`);
}
