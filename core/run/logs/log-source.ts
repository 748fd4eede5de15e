import type { BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { AppError, getErrorMessage } from '../../base/errors.ts';

/** A snapshot of a log file. */
export interface LogState {
  /** Distinguishes this file from a later one at the same path. */
  readonly identity: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Returns the state of a log; undefined when it does not exist yet.
 * @throws `home_unusable`
 */
export async function statLog(file: string): Promise<LogState | undefined> {
  try {
    return toLogState(await stat(file, { bigint: true }));
  } catch (error) {
    return explain(file, error);
  }
}

/** An open log, so that all reads of one request see the same file even when it is replaced. */
export interface OpenLog extends LogState, AsyncDisposable {
  readonly handle: FileHandle;
}

/**
 * Opens a log for reading; undefined when it does not exist yet.
 * @throws `home_unusable`
 */
export async function openLog(file: string): Promise<OpenLog | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const state = toLogState(await handle.stat({ bigint: true }));
      return { ...state, handle, [Symbol.asyncDispose]: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    return explain(file, error);
  }
}

/** Fills a buffer from an offset of the file; returns fewer bytes only at the end of the file. */
export async function readFully(handle: FileHandle, buffer: Buffer, offset: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function toLogState(stats: BigIntStats): LogState {
  if (!stats.isFile()) throw new Error('not a file');
  return { identity: `${stats.dev}:${stats.ino}`, size: Number(stats.size) };
}

function explain(file: string, error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw new AppError('home_unusable', `Cannot read the log ${file}: ${getErrorMessage(error)}.`, {
    cause: error,
  });
}
