import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { syncFolderNow } from './sync-folder.ts';

/** How a file is kept; in UTF-8, where nothing else is said. */
interface KeepOptions {
  readonly encoding?: BufferEncoding;
  /** Has an open file written to the disk. */
  readonly sync?: (descriptor: number) => void;
}

/**
 * Puts a text in its place in one step, for its owner only, with the folders around it: whoever reads the file sees the old text or the new
 * one, after a loss of power too, and the new one once this has returned. Those who may write it at the same time need a
 * lock. Throws what the file system throws; the old text is there then.
 * @param file absolute
 */
export function keepFile(file: string, text: string, options: KeepOptions = {}): void {
  const { encoding = 'utf8', sync = fsyncSync } = options;
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(handle, text, encoding);
    sync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolderNow(folder);
}
