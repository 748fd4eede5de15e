import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { attemptFiles } from '../../../model/run/attempt-files.ts';
import type { LogStream } from '../../files-port.ts';
import { pause } from '../pause.ts';

/** Where parts of logs go. */
export interface LogSink {
  /**
   * Takes a part, and tells the size that the log has by then. Resolves once it was taken, however long nobody can be
   * reached; rejects when nobody wants it any more.
   */
  put(stream: LogStream, offset: number, bytes: Uint8Array): Promise<number>;
}

/** Bytes of one part, at most. */
const partBytes = 1024 * 1024;
/** Time between two looks at a log: soon after something was written, later when nothing comes, milliseconds. */
const shortestPauseMs = 100;
const longestPauseMs = 1000;

interface ShipperParts {
  /** Absolute; the logs may be missing still. */
  readonly folder: string;
  readonly clock: Clock;
  readonly sink: LogSink;
  /** Parts may have been sent by an earlier life of the worker. */
  readonly isResumed: boolean;
}

/** Sends the logs of an attempt while they grow. The step writes into files and never waits for this. */
export class LogShipper {
  readonly #parts: ShipperParts;
  readonly #over = new AbortController();
  readonly #shipped: Promise<readonly [number, number]>;

  constructor(parts: ShipperParts) {
    this.#parts = parts;
    this.#shipped = Promise.all([this.#ship('stdout'), this.#ship('stderr')] as const);
    // Whoever waits for the end is told.
    this.#shipped.catch(() => {});
  }

  /** To be called once nothing is written any more. Resolves with the sizes of the logs when all of them is sent. */
  async finish(): Promise<{ readonly stdout: number; readonly stderr: number }> {
    this.#over.abort();
    const [stdout, stderr] = await this.#shipped;
    return { stdout, stderr };
  }

  async #ship(stream: LogStream): Promise<number> {
    const { folder, clock, isResumed } = this.#parts;
    const file = path.join(folder, attemptFiles[stream]);
    let handle: FileHandle | undefined;
    let pauseMs = shortestPauseMs;
    try {
      for (let offset = 0, isFirst = isResumed; ;) {
        // What is there by the end is all there will be: asked before the look.
        const isLast = this.#over.signal.aborted;
        handle ??= await open(file, 'r').catch(() => undefined);
        if (isFirst && handle !== undefined) {
          offset = await this.#findOffset(stream, handle);
          isFirst = false;
        }
        const bytes = handle && (await readPart(handle, offset));
        if (bytes !== undefined) {
          offset = await this.#parts.sink.put(stream, offset, bytes);
          pauseMs = shortestPauseMs;
        } else {
          if (isLast) return offset;
          await pause(clock, pauseMs, this.#over.signal);
          pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
        }
      }
    } finally {
      await handle?.close();
    }
  }

  /** An empty part at the end of the log tells how much of it has arrived. */
  async #findOffset(stream: LogStream, handle: FileHandle): Promise<number> {
    const { size } = await handle.stat();
    const known = await this.#parts.sink.put(stream, size, new Uint8Array());
    return Math.min(size, known);
  }
}

/** Undefined when there is nothing yet. */
async function readPart(handle: FileHandle, offset: number): Promise<Uint8Array | undefined> {
  const { size } = await handle.stat();
  if (size <= offset) return undefined;
  const buffer = Buffer.allocUnsafe(Math.min(partBytes, size - offset));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
}
