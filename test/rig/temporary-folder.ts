import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestCleanup } from './on-test-cleanup.ts';

/** An empty folder that goes when the test has ended, whatever is in it by then. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-'));
  onTestCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
