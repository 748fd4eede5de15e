import type { FileHandle } from 'node:fs/promises';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';
import { ArchiveError, quote } from '../archive-error.ts';
import { Budget } from '../entries/budget.ts';
import type { OpenArchive } from '../entries/entry.ts';
import { findFormatOfContent, findFormatOfName } from './find-format.ts';
import { openTar } from './read-tar.ts';
import { openZip } from './read-zip.ts';

/** Options for reading an archive. */
export interface ReadOptions {
  readonly path: string;
  readonly format: ArchiveFormat | undefined;
  readonly password: string | undefined;
  readonly maxRatio: number;
  readonly maxEntries: number;
  readonly signal: AbortSignal;
  onEndMissing(): void;
}

/**
 * Opens the archive in a file. The caller closes the file.
 * @throws ArchiveError
 */
export async function openArchive(file: FileHandle, options: ReadOptions): Promise<OpenArchive> {
  const stat = await file.stat();
  if (!stat.isFile()) throw new ArchiveError('format', `${quote(options.path)} is not a file`);
  const format = options.format ?? (await findFormatOfContent(file)) ?? findFormatOfName(options.path);
  if (format === undefined) {
    throw new ArchiveError('format', `Unknown archive format of ${quote(options.path)}. Set config.format`);
  }
  const { password, signal, onEndMissing } = options;
  const budget = (): Budget => new Budget(stat.size, options);
  if (format === 'zip') return openZip({ file, signal, password, budget });
  if (password !== undefined)
    throw new ArchiveError('configuration', `config.password is only supported for zip, not ${format}`);
  return openTar({ file, format, signal, budget, onEndMissing });
}

/**
 * Reads and verifies all contents of an archive.
 * @throws ArchiveError at the first fault
 */
export async function verifyArchive(archive: OpenArchive): Promise<void> {
  for await (const entry of archive.entries()) {
    if (entry.kind !== 'file') continue;
    // Reading the content verifies it.
    for await (const _ of entry.content());
  }
}
