import { readFileSync } from 'node:fs';

/** Returns the content of a file, empty when it does not exist. Throws other system errors. */
export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw thrown;
  }
}
