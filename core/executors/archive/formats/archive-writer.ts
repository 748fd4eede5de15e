import type { SourceItem } from '../source/walk.ts';

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
