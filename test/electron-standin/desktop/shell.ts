import fs from 'node:fs';
import { rm } from 'node:fs/promises';
import { createStrictModule } from '../app/strict-module.ts';

/** Electron's `shell`, on a desktop where nothing opens. A test that observes a call replaces the method. */
export const shell = createStrictModule('shell', {
  async openExternal(url: string): Promise<void> {
    if (!URL.canParse(url)) throw new Error('Invalid URL');
  },
  /** @returns an error message, empty on success */
  openPath: async (path: string): Promise<string> => (fs.existsSync(path) ? '' : 'Failed to open path'),
  showItemInFolder: (_fullPath: string): void => undefined,
  /** There is no trash: the item is removed. */
  trashItem: async (path: string): Promise<void> => rm(path, { recursive: true }),
  beep: (): void => undefined,
});
