import type { FileHandle } from 'node:fs/promises';
import { maximumLineBytes, showLine, findTail } from './read-lines.ts';
import { type OpenLog, readFully } from './log-source.ts';

const newline = 10;

/** Bytes read for one piece: the longest line that is displayed in full, with its line ending. */
export const chunkBytes = maximumLineBytes + 2;

/** An offset in a log where reading continues. */
export interface TextPosition {
  /** Byte offset. */
  readonly offset: number;
  /** Whether the offset is within a line whose rest is skipped. */
  readonly isWithinLine: boolean;
}

/** Lines between two offsets of a log. */
export interface TextChunk {
  readonly lines: string[];
  readonly next: TextPosition;
}

/** Where to start: after a byte, with the last lines, or with the first one. */
export interface TextStart {
  readonly after?: number | undefined;
  readonly tail?: number | undefined;
}

/** Returns the offset where a reader starts. Only a `tail` reads earlier parts, backwards. */
export async function findStart(log: OpenLog | undefined, { after, tail }: TextStart): Promise<TextPosition> {
  if (log === undefined) return { offset: 0, isWithinLine: false };
  if (after === undefined && tail === undefined) return { offset: 0, isWithinLine: false };
  if (after === undefined && tail! > 0) {
    const tailStart = await findTail(log.handle, log.size, { lines: tail!, maximumBytes: log.size });
    return { offset: tailStart?.offset ?? 0, isWithinLine: false };
  }
  const offset = after ?? log.size;
  if (offset === 0) return { offset, isWithinLine: false };
  const [before] = await readFully(log.handle, Buffer.allocUnsafe(1), offset - 1);
  return { offset, isWithinLine: before !== newline };
}

/** A part of a log to read lines from. */
export interface ChunkRequest {
  readonly position: TextPosition;
  /** Byte offset; at most the file size. */
  readonly end: number;
  /** Whether the text ends at `end`, so that an unfinished last line counts. */
  readonly isLast: boolean;
  /** Buffer for reading, of `chunkBytes`. */
  readonly buffer: Buffer;
  readonly decode: DecodeText;
}

/**
 * Returns the whole lines of the next 64 KiB; a longer line is returned alone and truncated, and later calls skip its
 * rest. No lines and the same offset mean that there is no whole line yet.
 */
export async function readChunk(handle: FileHandle, request: ChunkRequest): Promise<TextChunk> {
  const { position, end, isLast, buffer, decode } = request;
  const readLength = Math.min(chunkBytes, end - position.offset);
  const chunk = await readFully(handle, buffer.subarray(0, readLength), position.offset);
  if (position.isWithinLine) return skipLine(position, chunk);
  const last = chunk.lastIndexOf(newline);
  if (last >= 0)
    return { lines: splitLines(chunk.subarray(0, last), decode), next: advance(position, last + 1, false) };
  const isCut = chunk.length === chunkBytes;
  const isEnd = isLast && chunk.length > 0 && position.offset + chunk.length === end;
  if (!isCut && !isEnd) return { lines: [], next: position };
  return { lines: [showLine(chunk, decode)], next: advance(position, chunk.length, true) };
}

function skipLine(position: TextPosition, chunk: Buffer): TextChunk {
  const end = chunk.indexOf(newline);
  return {
    lines: [],
    next: end < 0 ? advance(position, chunk.length, true) : advance(position, end + 1, false),
  };
}

const advance = ({ offset }: TextPosition, bytes: number, isWithinLine: boolean): TextPosition => ({
  offset: offset + bytes,
  isWithinLine,
});

function splitLines(text: Buffer, decode: DecodeText): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf(newline, start);
    const stop = end < 0 ? text.length : end;
    lines.push(showLine(text.subarray(start, stop), decode));
    start = stop + 1;
  }
  return lines;
}

/** Decodes the bytes of a line, or of a part of one. */
export type DecodeText = (bytes: Buffer) => string;

/** Decodes UTF-8, with U+FFFD for invalid bytes. */
export const decodeUtf8: DecodeText = (bytes) => bytes.toString('utf8');

/**
 * Returns a decoder for valid UTF-8, such as the engine's own output, that uses another encoding for the rest.
 * @param charset a label of the Encoding Standard, such as `euc-jp`; default: UTF-8 only
 */
export function textDecoder(charset: string | undefined): DecodeText {
  if (charset === undefined || charset === 'utf-8') return decodeUtf8;
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const other = new TextDecoder(charset);
  return (bytes) => {
    try {
      return strict.decode(bytes);
    } catch {
      return other.decode(bytes);
    }
  };
}
