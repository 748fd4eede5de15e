import type { FileHandle } from 'node:fs/promises';
import type { LineIndex, LineCheckpoint } from './line-index.ts';
import { LineCollector, type LineSelection } from './line-collector.ts';
import { readFully } from './log-source.ts';

const newline = 10;
const chunkBytes = 65_536;

/** A part of a log to read lines from. */
export interface LogPart {
  /** A known line start. */
  readonly start: LineCheckpoint;
  /** Byte offset. */
  readonly end: number;
  /** Used to skip to the line after a very long one; absent when its line numbers differ from those of `start`. */
  readonly index?: LineIndex;
}

/**
 * Reads lines from a known line start on. The hidden part of a very long line is skipped without reading it when the
 * index allows.
 */
export async function readLinesFrom(
  handle: FileHandle,
  { start, end, index }: LogPart,
  options: LineSelection,
): Promise<string[]> {
  const collector = new LineCollector(options);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let offset = start.offset;
  while (offset < end && !collector.satisfied) {
    const chunk = await readFully(handle, buffer.subarray(0, Math.min(chunkBytes, end - offset)), offset);
    if (chunk.length === 0) break;
    collector.push(chunk);
    const overlong = collector.overlongLine;
    const next = overlong === undefined ? undefined : index?.seek(start.line + overlong + 1);
    if (overlong !== undefined && next?.line === start.line + overlong + 1) {
      collector.endLine();
      offset = next.offset;
    } else offset += chunk.length;
  }
  collector.finish();
  return collector.lines;
}

/** The start of a line near the end, and its number counted from the end. */
export interface TailStart {
  readonly offset: number;
  /** Lines from `offset` to the end, including an unfinished last one. */
  readonly lines: number;
}

/**
 * Searches backwards from `end` for the start of the last `lines` lines, reading at most `maximumBytes`: this displays
 * a tail without reading the rest of the file.
 * @returns undefined when the start was not found within that many bytes
 */
export async function findTail(
  handle: FileHandle,
  end: number,
  options: { readonly lines: number; readonly maximumBytes: number },
): Promise<TailStart | undefined> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const stop = Math.max(0, end - options.maximumBytes);
  let newlineCount = 0;
  let chunkEnd = end;
  while (chunkEnd > stop) {
    const chunkStart = Math.max(stop, chunkEnd - chunkBytes);
    const chunk = await readFully(handle, buffer.subarray(0, chunkEnd - chunkStart), chunkStart);
    for (let at = lastNewline(chunk, chunk.length); at >= 0; at = lastNewline(chunk, at)) {
      // The last byte of the text ends its last line and starts none.
      if (chunkStart + at + 1 === end) continue;
      newlineCount += 1;
      if (newlineCount === options.lines) return { offset: chunkStart + at + 1, lines: newlineCount };
    }
    chunkEnd = chunkStart;
  }
  return stop === 0 ? { offset: 0, lines: newlineCount + (end > 0 ? 1 : 0) } : undefined;
}

const lastNewline = (chunk: Buffer, before: number): number =>
  before <= 0 ? -1 : chunk.lastIndexOf(newline, before - 1);
