import type { Readable } from 'node:stream';

/** Log streams of an attempt. */
export type LogStream = 'stdout' | 'stderr';

/** Byte range of an artifact, up to its end if `length` is absent. */
export interface FileRange {
  readonly offset: number;
  readonly length?: number;
}

/** A snapshot of an artifact. */
export interface ArtifactInfo {
  /** Total size. */
  readonly bytes: number;
  /** Time it was stored, epoch milliseconds. */
  readonly at: number;
  /** Changes when the artifact is replaced. */
  readonly mark: string;
  /** The requested range; empty if it starts after the end. Must be read or destroyed. */
  readonly content: Readable;
}

/** Storage of task logs and artifacts, which are never stored in the database. */
export interface TaskFiles {
  /** Returns the current size of a log in bytes. */
  logSize(place: string, stream: LogStream): Promise<number>;
  /**
   * Appends to a log and returns its size. Bytes that already exist are skipped; a part after a gap is rejected, and
   * the sender continues from the returned size.
   */
  appendLog(
    place: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }>;
  /**
   * Stores an artifact of a run and replaces one with the same name. `run` is the absolute path of the run's log
   * directory.
   */
  putArtifact(
    run: string,
    name: string,
    content: Readable,
  ): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Returns an artifact or a part of it; undefined if missing. */
  getArtifact(run: string, name: string, part?: FileRange): Promise<ArtifactInfo | undefined>;
  listArtifacts(
    run: string,
  ): Promise<readonly { readonly name: string; readonly bytes: number; readonly at: number }[]>;
  /**
   * Copies the logs of an attempt to its directory `place` on this machine, as far as available.
   * @param told directory that coordinators write to, if the offering host used a different one
   */
  mirrorLogs(place: string, told?: string): Promise<void>;
  /** Merges the stored parts of an attempt's logs after they are complete. */
  sealLogs(place: string): Promise<void>;
  /** Deletes everything that is stored outside the run directory. */
  removeRun(run: string): Promise<void>;
}
