import type { Duplex } from 'node:stream';
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';
import { FilterError, FilterProgram } from '../../../process/filter-program.ts';
import { ArchiveError } from '../archive-error.ts';

/** Bytes that pass through a stream at a time: large enough that the passing costs little. */
export const chunkSize = 256 * 1024;

/** Dictionaries of the strongest usual level take 65 MiB; a hostile one may ask for 4 GiB. */
const mostXzMemory = '--memlimit-decompress=512MiB';

/** A stream that turns the file into tar; undefined for one that is tar already. */
export function createDecoder(format: Exclude<ArchiveFormat, 'zip'>): Duplex | undefined {
  switch (format) {
    case 'tar':
      return undefined;
    case 'tar.gz':
      return createGunzip({ chunkSize });
    case 'tar.zst':
      return createZstdDecompress({ chunkSize });
    case 'tar.xz':
      return new FilterProgram(['xz', '--decompress', '--stdout', mostXzMemory]);
    case 'tar.bz2':
      return new FilterProgram(['bzip2', '--decompress', '--stdout']);
  }
}

/** A stream that compresses tar; undefined when it stays as it is. */
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

/** What a program that packs or unpacks has said, as a failure with its class; undefined for any other failure. */
export function explainFilter(thrown: unknown, format: ArchiveFormat): ArchiveError | undefined {
  if (!(thrown instanceof FilterError)) return undefined;
  const { message, isMissing } = thrown;
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
