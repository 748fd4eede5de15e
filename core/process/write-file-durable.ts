import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { open } from 'node:fs/promises';

/** Options for writing a file; the default encoding is UTF-8. */
interface WriteOptions {
  readonly encoding?: BufferEncoding;
  /** Flushes an open file to disk. */
  readonly sync?: (descriptor: number) => void;
}

/**
 * Writes a file atomically and durably, accessible only to its owner, and creates its parent directories. Readers see
 * either the old or the new content, also after a power failure, and the new one after this has returned. Concurrent
 * writers need a lock. Throws file system errors, after which the old content remains.
 * @param file absolute
 */
export function writeFileDurable(file: string, text: string, options: WriteOptions = {}): void {
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
  fsyncDirSync(folder);
}

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
