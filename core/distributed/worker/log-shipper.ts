import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { attemptFiles } from '../../model/run.ts';
import type { LogStream } from '../../run/remote/task-files.ts';
import { pause } from './coordinators.ts';

/** Destination of log parts. */
export interface LogSink {
  /**
   * Sends a part and returns the log's new size. Retries while no coordinator is reachable; rejects when the log is no
   * longer needed.
   */
  put(stream: LogStream, offset: number, bytes: Uint8Array): Promise<number>;
}

/** Maximum size of a part in bytes. */
const chunkBytes = 1024 * 1024;
/** Polling interval of a log: short after new output, longer while idle, in milliseconds. */
const minPauseMs = 100;
const maxPauseMs = 1000;

/** Sends the logs of an attempt as they grow. The step writes to files and never waits for the upload. */
export class LogShipper {
  /** Absolute path; the log files may not exist yet. */
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #sink: LogSink;
  /** Parts may have been sent by an earlier process. */
  readonly #isResumed: boolean;
  readonly #finished = new AbortController();
  readonly #shipped: Promise<readonly [number, number]>;

  constructor(folder: string, clock: Clock, sink: LogSink, isResumed: boolean) {
    this.#folder = folder;
    this.#clock = clock;
    this.#sink = sink;
    this.#isResumed = isResumed;
    this.#shipped = Promise.all([this.#ship('stdout'), this.#ship('stderr')] as const);
    // Errors are reported at the end.
    this.#shipped.catch(() => {});
  }

  /** Resolves with the log sizes after everything is sent. Call it after all output is written. */
  async finish(): Promise<{ readonly stdout: number; readonly stderr: number }> {
    this.#finished.abort();
    const [stdout, stderr] = await this.#shipped;
    return { stdout, stderr };
  }

  async #ship(stream: LogStream): Promise<number> {
    const file = path.join(this.#folder, attemptFiles[stream]);
    let handle: FileHandle | undefined;
    let pauseMs = minPauseMs;
    try {
      for (let offset = 0, isFirst = this.#isResumed; ;) {
        // Checked before reading, so that the read includes all output.
        const isLast = this.#finished.signal.aborted;
        handle ??= await open(file, 'r').catch(() => undefined);
        if (isFirst && handle !== undefined) {
          offset = await this.#findOffset(stream, handle);
          isFirst = false;
        }
        const bytes = handle && (await readChunk(handle, offset));
        if (bytes !== undefined) {
          offset = await this.#sink.put(stream, offset, bytes);
          pauseMs = minPauseMs;
        } else {
          if (isLast) return offset;
          await pause(this.#clock, pauseMs, this.#finished.signal);
          pauseMs = Math.min(pauseMs * 1.5, maxPauseMs);
        }
      }
    } finally {
      await handle?.close();
    }
  }

  /** Sends an empty part at the end of the log to learn how much has arrived. */
  async #findOffset(stream: LogStream, handle: FileHandle): Promise<number> {
    const { size } = await handle.stat();
    const known = await this.#sink.put(stream, size, new Uint8Array());
    return Math.min(size, known);
  }
}

/** Reads a part of the log; undefined if there is nothing new. */
async function readChunk(handle: FileHandle, offset: number): Promise<Uint8Array | undefined> {
  const { size } = await handle.stat();
  if (size <= offset) return undefined;
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - offset));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
}
