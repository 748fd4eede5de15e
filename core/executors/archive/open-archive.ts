import { type FileHandle, open } from 'node:fs/promises';
import type { ArchiveFormat } from '../../model/executor-tables.ts';
import { ArchiveError, quote, toArchiveError } from './archive-error.ts';
import { Budget, type OpenArchive } from './entries.ts';
import { openTar } from './tar.ts';
import { openZip } from './read-zip.ts';
import type { ArchiveJob } from './job.ts';
import { openFlags } from './folders.ts';

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
  const format = options.format ?? (await detectFormat(file)) ?? findFormatByName(options.path);
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

const endings: readonly (readonly [RegExp, ArchiveFormat])[] = [
  [/\.(zip|jar|war|whl|apk)$/i, 'zip'],
  [/\.tar$/i, 'tar'],
  [/\.(tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.(tar\.zst|tzst)$/i, 'tar.zst'],
  [/\.(tar\.xz|txz)$/i, 'tar.xz'],
  [/\.(tar\.bz2|tbz2?|tar\.bz)$/i, 'tar.bz2'],
];

/** Returns the format of a file name extension. */
export const findFormatByName = (path: string): ArchiveFormat | undefined =>
  endings.find(([ending]) => ending.test(path))?.[1];

const signatures: readonly (readonly [offset: number, bytes: readonly number[], format: ArchiveFormat])[] = [
  [0, [0x50, 0x4b, 0x03, 0x04], 'zip'],
  // Empty archive.
  [0, [0x50, 0x4b, 0x05, 0x06], 'zip'],
  [0, [0x1f, 0x8b], 'tar.gz'],
  [0, [0x28, 0xb5, 0x2f, 0xfd], 'tar.zst'],
  [0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'tar.xz'],
  [0, [0x42, 0x5a, 0x68], 'tar.bz2'],
  // "ustar"
  [257, [0x75, 0x73, 0x74, 0x61, 0x72], 'tar'],
];

/** Detects the format from the first bytes of a file. */
async function detectFormat(file: FileHandle): Promise<ArchiveFormat | undefined> {
  const head = Buffer.alloc(262);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return signatures.find(
    ([offset, bytes]) =>
      offset + bytes.length <= bytesRead && bytes.every((byte, index) => head[offset + index] === byte),
  )?.[2];
}

const endMissing = 'the archive has no end marker and may be truncated';

/**
 * Opens the archive that a job reads, runs work with it and closes it. Verifies the archive first if the job asks for
 * it.
 */
export async function readSource<Value>(
  job: ArchiveJob,
  work: (archive: OpenArchive) => Promise<Value>,
): Promise<Value> {
  const path = job.sources[0]!;
  let file: FileHandle;
  try {
    file = await open(path, openFlags.read);
  } catch (error) {
    throw toArchiveError(error, `archive ${quote(path)}`);
  }
  try {
    const { format, password, maxRatio, maxEntries, signal } = job;
    const onEndMissing = (): void => job.warn(`warning: ${endMissing}`);
    const options = { path, format, password, maxRatio, maxEntries, signal, onEndMissing };
    if (job.verifyIntegrity)
      await verifyArchive(await openArchive(file, { ...options, onEndMissing: throwMissingEnd }));
    return await work(await openArchive(file, options));
  } finally {
    await file.close();
  }
}

/** Used with `verifyIntegrity`, where a missing end marker is an error. */
export function throwMissingEnd(): never {
  throw new ArchiveError('damaged', endMissing);
}
