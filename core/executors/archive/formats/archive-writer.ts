import type { SourceItem } from '../source/walk.ts';

/** An entry that is ready to be written. */
export interface PreparedEntry {
  /** What is packed, as it was when it was opened. */
  readonly item: SourceItem;
  /** Writes it. When this rejects, the archive is of no use any more. */
  append(): Promise<void>;
  /** Gives back what it holds, when it is not appended. */
  discard(): Promise<void>;
}

/** An archive that is written entry by entry. Everything rejects with `ArchiveError`. */
export interface ArchiveWriter {
  /** Opens, and when it is small reads and compresses, what is to be packed. Several may be prepared side by side. */
  prepare(item: SourceItem): Promise<PreparedEntry>;
  /** Writes what belongs at the end. The file stays open. */
  finish(): Promise<void>;
  /** Gives everything back without an end. Never rejects. */
  discard(): Promise<void>;
}

/** How files are read that are packed. */
export interface ReadFileOptions {
  readonly followSymlinks: boolean;
  readonly signal: AbortSignal;
}
