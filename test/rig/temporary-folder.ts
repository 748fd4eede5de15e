import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestCleanup } from './on-test-cleanup.ts';

/** An empty folder that is removed when the test has ended, with everything in it. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-'));
  onTestCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
