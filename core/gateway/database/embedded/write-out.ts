import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../files/sync-folder.ts';

/** So many at once: what a disk writes out for several files in one go is waited for once. */
const atOnce = 16;

/** Has everything in a folder, and the folder itself, written to the disk. */
export async function writeOut(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const rest = entries.values();
  const lane = async (): Promise<void> => {
    for (const entry of rest) {
      const place = join(entry.parentPath, entry.name);
      await (entry.isDirectory() ? syncFolder(place) : syncFile(place));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  await syncFolder(folder);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
