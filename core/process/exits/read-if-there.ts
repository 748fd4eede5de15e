import { readFileSync } from 'node:fs';

/** The text of a file, empty when there is none. Throws what the system says otherwise. */
export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw thrown;
  }
}
