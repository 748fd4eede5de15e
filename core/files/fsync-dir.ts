import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Flushes a directory, so that new names survive a crash, if the platform supports it. */
export async function fsyncDir(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => {});
  } finally {
    await handle?.close();
  }
}

/** Flushes a directory synchronously. */
export function fsyncDirSync(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // Windows cannot open directories; names are flushed with the file.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
