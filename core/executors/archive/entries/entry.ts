import type { ArchiveFormat } from '../../../model/executors/archive.ts';

/** What an archive holds under one name. `other` is a device, a pipe, or what nobody knows. */
export type EntryKind = 'file' | 'folder' | 'symlink' | 'hardlink' | 'other';

/** An entry of an archive that is read. */
export interface ArchiveEntry {
  /** As in the archive; parts are separated by `/`. Not to be trusted. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Bytes of the content, as the archive says. */
  readonly size: number;
  /** Permission bits; undefined when the archive has none. */
  readonly mode: number | undefined;
  /** Epoch seconds; undefined when the archive has none. */
  readonly modified: number | undefined;
  readonly isEncrypted: boolean;
  /** Where a link leads, as in the archive. Reads the content when the format keeps it there. */
  linkTarget(): Promise<string>;
  /**
   * The content, checked: reading it rejects with an `ArchiveError` when it is damaged or has not the size it says.
   * To be read at most once.
   */
  content(): AsyncIterable<Uint8Array>;
}

/** An archive that is open for reading. Its entries can be read again from the start. */
export interface OpenArchive {
  readonly format: ArchiveFormat;
  /**
   * Whether contents may be read in any order and several at once. Otherwise the content of an entry is lost as soon
   * as the next one is asked for.
   */
  readonly isRandomAccess: boolean;
  /** Rejects with `ArchiveError` when the archive is damaged. Leaving the loop early gives everything back. */
  entries(): AsyncGenerator<ArchiveEntry>;
}

/** Contents up to this size are held in memory, several at a time. */
export const smallContent = 256 * 1024;

/** The whole content of an entry that is small. */
export async function readBytes(entry: ArchiveEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.content()) chunks.push(chunk);
  return chunks.length === 1 ? toBuffer(chunks[0]!) : Buffer.concat(chunks);
}

const toBuffer = (chunk: Uint8Array): Buffer => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
