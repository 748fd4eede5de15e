import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that goes when the test has ended, whatever is in it by then. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
