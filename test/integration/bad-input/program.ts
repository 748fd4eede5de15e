import { join } from 'node:path';

/** Shell code that runs one of `test/programs`. */
export const program = (words: string): string =>
  `sh '${join(import.meta.dirname, '../../programs')}'/${words}`;
