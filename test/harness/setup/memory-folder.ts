import { createMemoryFolder, removeMemoryFolder } from '../../../scripts/setup/test-environment.mjs';

/** Vitest global set-up: temporary files of the tests are in memory, if there is space. */
export function setup(): (() => void) | undefined {
  const folder = createMemoryFolder();
  if (folder === undefined) return undefined;
  process.env['TMPDIR'] = folder;
  return () => {
    delete process.env['TMPDIR'];
    removeMemoryFolder(folder);
  };
}
