import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';

/**
 * Puts a file in its place in one step, readable to its owner only: whoever reads it sees the old text or the new one,
 * after a loss of power, too. Under a lock, since what an earlier writer has left half done is removed.
 */
export function writePrivateFile(file: string, text: string): void {
  const folder = path.dirname(file);
  removeLeftovers(folder, path.basename(file));
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(folder);
}

function removeLeftovers(folder: string, name: string): void {
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(`${name}.`) && entry.endsWith('.tmp'))
      rmSync(path.join(folder, entry), { force: true });
  }
}

/** Makes the new name survive a crash, where the platform can. */
function syncFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // Windows opens no folders; there the name is on disk with the file.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
