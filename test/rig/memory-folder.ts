import { makeMemoryFolder, removeMemoryFolder } from '../../scripts/setup/memory-folder.mjs';

/** Vitest global set-up: temporary files of the tests lie in memory, where there is room. */
export function setup(): (() => void) | undefined {
  const folder = makeMemoryFolder();
  if (folder === undefined) return undefined;
  process.env['TMPDIR'] = folder;
  return () => {
    delete process.env['TMPDIR'];
    removeMemoryFolder(folder);
  };
}
