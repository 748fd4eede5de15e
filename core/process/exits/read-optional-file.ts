import { readFileSync } from 'node:fs';

/** Returns the content of a file, empty when it does not exist. Throws other system errors. */
export function readOptionalFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
