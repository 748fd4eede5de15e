import type { Duplex } from 'node:stream';
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import type { ArchiveFormat } from '../../model/executor-tables.ts';
import { FilterError, FilterProgram } from '../../process/capture.ts';
import { ArchiveError } from './archive-error.ts';
import type { SourceItem } from './source-files.ts';

/** Chunk size of streams in bytes, large enough that the overhead per chunk is small. */
export const chunkSize = 256 * 1024;

/** The strongest usual level needs a 65 MiB dictionary; a malicious archive may ask for 4 GiB. */
const maxXzMemory = '--memlimit-decompress=512MiB';

/** Returns a stream that decompresses the file to tar, or undefined for an uncompressed tar. */
export function createDecoder(format: Exclude<ArchiveFormat, 'zip'>): Duplex | undefined {
  switch (format) {
    case 'tar':
      return undefined;
    case 'tar.gz':
      return createGunzip({ chunkSize });
    case 'tar.zst':
      return createZstdDecompress({ chunkSize });
    case 'tar.xz':
      return new FilterProgram(['xz', '--decompress', '--stdout', maxXzMemory]);
    case 'tar.bz2':
      return new FilterProgram(['bzip2', '--decompress', '--stdout']);
  }
}

/** Returns a stream that compresses tar, or undefined for an uncompressed tar. */
export function createEncoder(format: Exclude<ArchiveFormat, 'zip'>, level: number): Duplex | undefined {
  switch (format) {
    case 'tar':
      return undefined;
    case 'tar.gz':
      return createGzip({ chunkSize, level });
    case 'tar.zst':
      return createZstdCompress({
        chunkSize,
        params: level < 1 ? {} : { [constants.ZSTD_c_compressionLevel]: level },
      });
    case 'tar.xz':
      return new FilterProgram(['xz', '--stdout', ...(level < 0 ? [] : [`-${level}`])]);
    case 'tar.bz2':
      return new FilterProgram(['bzip2', '--stdout', ...(level < 0 ? [] : [`-${Math.max(level, 1)}`])]);
  }
}

/** Converts the error of a compression program to an `ArchiveError`; undefined for other errors. */
export function explainFilter(error: unknown, format: ArchiveFormat): ArchiveError | undefined {
  if (!(error instanceof FilterError)) return undefined;
  const { message, isMissing } = error;
  if (isMissing)
    return new ArchiveError(
      'format',
      `${message}, which ${format} requires. Install it, or use tar.zst or tar.gz`,
    );
  if (/unexpected end|ends unexpectedly/i.test(message))
    return new ArchiveError('damaged', 'the archive is truncated. Download or create it again');
  if (/memory usage limit/i.test(message))
    return new ArchiveError(
      'limit',
      'unpacking the archive requires more than 512 MiB of memory, which is the limit',
    );
  return new ArchiveError('damaged', `cannot process the archive as ${format}: ${message}`);
}

/** Writes a whole chunk at the file's current position, with as many writes as needed. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}

/** An entry that is ready to be written. */
export interface PreparedEntry {
  /** The packed file as it was when it was opened. */
  readonly item: SourceItem;
  /** Writes the entry. If this rejects, the archive is unusable. */
  append(): Promise<void>;
  /** Releases the resources of an entry that is not appended. */
  discard(): Promise<void>;
}

/** Writes an archive entry by entry. All methods reject with `ArchiveError`. */
export interface ArchiveWriter {
  /** Opens the source and, if it is small, reads and compresses it. Several entries may be prepared in parallel. */
  prepare(item: SourceItem): Promise<PreparedEntry>;
  /** Writes the end of the archive. The file stays open. */
  finish(): Promise<void>;
  /** Releases all resources without finishing the archive. Never rejects. */
  discard(): Promise<void>;
}

/** Options for reading the files that are packed. */
export interface ReadFileOptions {
  readonly followSymlinks: boolean;
  readonly signal: AbortSignal;
}
