import type { Readable } from 'node:stream';

/** Streams of an attempt. */
export type LogStream = 'stdout' | 'stderr';

/** Bytes of an artifact that are wanted; to its end when `length` is absent. */
export interface FilePart {
  readonly offset: number;
  readonly length?: number;
}

/** An artifact as it is at one moment. */
export interface FoundArtifact {
  /** Of the whole of it. */
  readonly bytes: number;
  /** When it was kept, epoch milliseconds. */
  readonly at: number;
  /** Another text when it has been replaced. */
  readonly mark: string;
  /** What was asked for; nothing when that begins behind its end. To be read, or destroyed. */
  readonly content: Readable;
}

/** Where logs and artifacts of tasks go. Never the database. */
export interface TaskFiles {
  /** Bytes a log has so far. */
  logSize(place: string, stream: LogStream): Promise<number>;
  /**
   * Appends to a log. A part that begins before its end is taken from where it is new; one that begins behind it is
   * refused: the answer is the size the log has now, from which the sender goes on.
   */
  appendLog(
    place: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }>;
  /** Keeps a file of a run, replacing one of the same name. `run` is the folder of the run's logs, absolute. */
  putArtifact(
    run: string,
    name: string,
    content: Readable,
  ): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** All of it, or a part. Undefined when there is none. */
  getArtifact(run: string, name: string, part?: FilePart): Promise<FoundArtifact | undefined>;
  listArtifacts(
    run: string,
  ): Promise<readonly { readonly name: string; readonly bytes: number; readonly at: number }[]>;
  /**
   * Makes what is kept elsewhere of an attempt be in its folder `place` on this machine, as far as it is known.
   * @param told the folder that coordinators write to, when the host that offered the attempt had another one
   */
  mirrorLogs(place: string, told?: string): Promise<void>;
  /** Puts the parts together that the logs of an attempt were kept in, once nothing more is written to them. */
  sealLogs(place: string): Promise<void>;
  /** Removes all that is kept elsewhere of a run. */
  removeRun(run: string): Promise<void>;
}
