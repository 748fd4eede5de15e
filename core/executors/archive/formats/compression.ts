import type { Transform } from 'node:stream';
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';
import { ArchiveError } from '../archive-error.ts';

/** Bytes that pass through a stream at a time: large enough that the passing costs little. */
export const chunkSize = 256 * 1024;

/**
 * A stream that turns the file into tar; undefined for one that is tar already. Throws `ArchiveError` for what this
 * version cannot read.
 */
export function createDecoder(format: Exclude<ArchiveFormat, 'zip'>): Transform | undefined {
  switch (format) {
    case 'tar':
      return undefined;
    case 'tar.gz':
      return createGunzip({ chunkSize });
    case 'tar.zst':
      return createZstdDecompress({ chunkSize });
    case 'tar.xz':
    case 'tar.bz2':
      throw new ArchiveError(
        'format',
        `this version does not read ${format} archives. Unpack it with a command step such as "tar -xf"`,
      );
  }
}

/** A stream that compresses tar; undefined when it stays as it is. Throws `ArchiveError` as with reading. */
export function createEncoder(format: Exclude<ArchiveFormat, 'zip'>, level: number): Transform | undefined {
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
    case 'tar.bz2':
      throw new ArchiveError('format', `this version creates no ${format} archives. Use tar.zst or tar.gz`);
  }
}
