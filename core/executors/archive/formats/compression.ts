import type { Duplex } from 'node:stream';
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';
import { FilterError, FilterProgram } from '../../../process/filter-program.ts';
import { ArchiveError } from '../archive-error.ts';

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
