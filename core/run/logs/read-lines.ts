import type { FileHandle } from 'node:fs/promises';
import type { LineIndex, LineCheckpoint } from './indexed-log.ts';
import { readFully, type OpenLog } from './log-source.ts';

const newline = 10;
const scanBytes = 65_536;

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
  const buffer = Buffer.allocUnsafe(scanBytes);
  let offset = start.offset;
  while (offset < end && !collector.satisfied) {
    const chunk = await readFully(handle, buffer.subarray(0, Math.min(scanBytes, end - offset)), offset);
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
  const buffer = Buffer.allocUnsafe(scanBytes);
  const stop = Math.max(0, end - options.maximumBytes);
  let newlineCount = 0;
  let chunkEnd = end;
  while (chunkEnd > stop) {
    const chunkStart = Math.max(stop, chunkEnd - scanBytes);
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

const carriageReturn = 13;

/** Bytes of a line that are displayed; the rest is truncated. */
export const maximumLineBytes = 65_536;
/** Bytes of a line that are buffered: enough to detect that it exceeds the limit even when it ends with `\r`. */
const maxBufferedBytes = maximumLineBytes + 2;

/** Range of lines to collect. */
interface LineSelection {
  /** Number of lines to skip first. */
  readonly skip: number;
  readonly count: number;
  /** Bytes of text after which no further line is collected. */
  readonly maximumBytes: number;
  readonly decode: DecodeText;
}

/** Collects lines of a text that arrives in chunks, without ever buffering a whole long line. */
class LineCollector {
  readonly lines: string[] = [];
  readonly #options: LineSelection;
  #toSkip: number;
  #ended = 0;
  #bytes = 0;
  #chunks: Buffer[] = [];
  #lineBytes = 0;

  constructor(options: LineSelection) {
    this.#options = options;
    this.#toSkip = options.skip;
  }

  /** Whether no further bytes are needed. */
  get satisfied(): boolean {
    return this.lines.length >= this.#options.count || this.#bytes >= this.#options.maximumBytes;
  }

  /**
   * Number of the line, counted from the first line passed in, that is already so long that its rest does not matter.
   */
  get overlongLine(): number | undefined {
    return this.#lineBytes > maxBufferedBytes ? this.#ended : undefined;
  }

  /** Ends the current line; the next chunk starts the line after it. */
  endLine(): void {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else {
      const line = Buffer.concat(this.#chunks);
      this.lines.push(showLine(line, this.#options.decode));
      this.#bytes += Math.min(line.length, maximumLineBytes);
    }
    this.#ended += 1;
    this.#chunks = [];
    this.#lineBytes = 0;
  }

  /** Processes a chunk; buffered bytes are copied. */
  push(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length && !this.satisfied) {
      const end = chunk.indexOf(newline, start);
      this.#keep(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end >= 0 || this.#isLastAndCut()) this.endLine();
      if (end < 0) return;
      start = end + 1;
    }
  }

  /** Ends the text: the rest is an unfinished last line. */
  finish(): void {
    if (this.#lineBytes > 0 && !this.satisfied) this.endLine();
  }

  #keep(segment: Buffer): void {
    if (segment.length === 0) return;
    if (this.#toSkip > 0) {
      this.#lineBytes += segment.length;
      return;
    }
    const remaining = maxBufferedBytes - Math.min(this.#lineBytes, maxBufferedBytes);
    if (remaining > 0) this.#chunks.push(Buffer.from(segment.subarray(0, remaining)));
    this.#lineBytes += segment.length;
  }

  /** Whether the last requested line is already too long, so that its end does not matter. */
  #isLastAndCut(): boolean {
    const last = this.#toSkip === 0 && this.lines.length === this.#options.count - 1;
    return last && this.overlongLine !== undefined;
  }
}

/**
 * Returns a line for display: without a trailing `\r`, with U+FFFD for undecodable bytes, truncated with `…` when it is
 * too long.
 */
export function showLine(line: Buffer, decode: DecodeText): string {
  const content = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  if (content.length <= maximumLineBytes) return decode(content);
  return `${decode(content.subarray(0, findCut(content)))}…`;
}

/** Returns the last offset at or before the limit that does not split a UTF-8 sequence. */
function findCut(line: Buffer): number {
  for (let cutAt = maximumLineBytes; cutAt > maximumLineBytes - 4; cutAt -= 1) {
    if ((line[cutAt]! & 0b1100_0000) !== 0b1000_0000) return cutAt;
  }
  return maximumLineBytes;
}

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
