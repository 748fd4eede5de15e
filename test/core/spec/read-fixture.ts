import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file below `test/fixtures/workflows`, byte order mark included. */
export function readFixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../fixtures/workflows', name), 'utf8');
}
