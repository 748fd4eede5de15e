import type { ArchiveFormat } from '../../../model/executors/archive.ts';

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
