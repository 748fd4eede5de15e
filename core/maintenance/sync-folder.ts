import { open } from 'node:fs/promises';

/** Makes new names in a folder survive a crash, where the platform can. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => {});
  } finally {
    await handle?.close();
  }
}
