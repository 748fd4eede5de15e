import { ArchiveError } from '../archive-error.ts';

/** Bytes of content that are not subject to the ratio. */
const freeBytes = 10 * 1024 * 1024;
const mebibyte = 1024 * 1024;

/** Limits what one archive may expand to, as protection against decompression bombs. */
export class Budget {
  readonly #maxBytes: number;
  readonly #maxRatio: number;
  readonly #maxEntries: number;
  #bytes = 0;
  #entries = 0;

  /**
   * @param archiveBytes size of the archive
   * @param limits `maxRatio`: bytes of content per byte of the archive
   */
  constructor(archiveBytes: number, limits: { readonly maxRatio: number; readonly maxEntries: number }) {
    this.#maxBytes = Math.max(freeBytes, archiveBytes * limits.maxRatio);
    this.#maxRatio = limits.maxRatio;
    this.#maxEntries = limits.maxEntries;
  }

  /**
   * Counts an entry.
   * @throws ArchiveError of class `limit`
   */
  countEntry(): void {
    this.#entries += 1;
    if (this.#entries <= this.#maxEntries) return;
    throw new ArchiveError(
      'limit',
      `the archive has more than ${this.#maxEntries} entries. If this is expected, raise config.maxEntries`,
    );
  }

  /**
   * Counts bytes of extracted content.
   * @throws ArchiveError of class `limit`
   */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    const size = `${Math.floor(this.#maxBytes / mebibyte)} MiB`;
    throw new ArchiveError(
      'limit',
      `the archive expands to more than ${size}, ${this.#maxRatio} times its own size. If this is expected, raise config.maxRatio`,
    );
  }
}
