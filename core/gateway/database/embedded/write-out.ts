import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fsyncDir } from '../../../files/fsync-dir.ts';

/** Number of parallel flushes. The disk can flush several files at once. */
const atOnce = 16;

/** Flushes a directory and all its contents to disk. */
export async function fsyncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const rest = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of rest) {
      const path = join(entry.parentPath, entry.name);
      await (entry.isDirectory() ? fsyncDir(path) : syncFile(path));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await fsyncDir(folder);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
