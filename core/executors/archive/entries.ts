import type { ArchiveFormat } from '../../model/executor-tables.ts';
import { parseGlob, type Glob } from '../../base/glob.ts';
import { ArchiveError, quote } from './archive-error.ts';

/** Type of an entry. `other` is a device, a pipe or an unknown type. */
export type EntryKind = 'file' | 'folder' | 'symlink' | 'hardlink' | 'other';

/** An entry of an archive that is being read. */
export interface ArchiveEntry {
  /** Name as in the archive, with `/` as the separator. Untrusted. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Declared size of the content in bytes. */
  readonly size: number;
  /** Permission bits; undefined if the archive has none. */
  readonly mode: number | undefined;
  /** Epoch seconds; undefined if the archive has none. */
  readonly modified: number | undefined;
  readonly isEncrypted: boolean;
  /** Returns the target of a link as in the archive. Reads the content if the format stores the target there. */
  linkTarget(): Promise<string>;
  /**
   * Returns the content and verifies it: reading rejects with an `ArchiveError` if the content is damaged or its size
   * differs from the declared one. Can be read only once.
   */
  content(): AsyncIterable<Uint8Array>;
}

/** An archive that is open for reading. Its entries can be iterated repeatedly. */
export interface OpenArchive {
  readonly format: ArchiveFormat;
  /**
   * Whether contents can be read in any order and in parallel. Otherwise the content of an entry is unavailable once
   * the next entry is requested.
   */
  readonly isRandomAccess: boolean;
  /**
   * Iterates the entries. Leaving the loop early releases all resources.
   * @throws ArchiveError if the archive is damaged
   */
  entries(): AsyncGenerator<ArchiveEntry>;
}

/** Contents up to this size are held in memory, several at a time. Bytes. */
export const maxBufferedBytes = 256 * 1024;

/** Reads the whole content of a small entry. */
export async function readBytes(entry: ArchiveEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.content()) chunks.push(chunk);
  return chunks.length === 1 ? toBuffer(chunks[0]!) : Buffer.concat(chunks);
}

const toBuffer = (chunk: Uint8Array): Buffer => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

/** Selects entries by name. */
export class Selection {
  readonly #include: readonly Glob[];
  readonly #exclude: readonly Glob[];

  /**
   * @param globs shell-style globs; an empty `include` selects everything
   * @throws ArchiveError of class `configuration` if a glob exceeds the limits
   */
  constructor(globs: { readonly include: readonly string[]; readonly exclude: readonly string[] }) {
    this.#include = globs.include.map((glob) => readGlob('include', glob));
    this.#exclude = globs.exclude.map((glob) => readGlob('exclude', glob));
  }

  /**
   * Whether the entry is selected.
   * @param segments path segments of its name
   */
  selects(segments: readonly string[]): boolean {
    if (this.excludes(segments)) return false;
    return this.#include.length === 0 || matchesAny(segments, this.#include);
  }

  /** Whether the entry and everything below it is excluded. */
  excludes(segments: readonly string[]): boolean {
    return this.#exclude.length > 0 && matchesAny(segments, this.#exclude);
  }
}

/**
 * Parses a glob. Accepts a trailing slash for folders and a leading `./` for paths; a glob without a slash matches a
 * name at any level.
 */
function readGlob(field: 'include' | 'exclude', text: string): Glob {
  const path = text.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '');
  const glob = parseGlob(path, { ignoreCase: process.platform !== 'linux' });
  if ('problem' in glob)
    throw new ArchiveError('configuration', `config.${field}: ${quote(text.slice(0, 80))} ${glob.problem}`);
  return glob;
}

/** Whether a glob matches the name or one of its parent folders. A glob without a slash matches any segment. */
const matchesAny = (segments: readonly string[], globs: readonly Glob[]): boolean =>
  globs.some((glob) =>
    glob.text.includes('/') ? glob.fitsWithin(segments) : segments.some((part) => glob.fits(part)),
  );

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
