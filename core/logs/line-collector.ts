import type { DecodeText } from './decode-text.ts';

const newline = 10;
const carriageReturn = 13;

/** Bytes of a line that are displayed; the rest is truncated. */
export const maximumLineBytes = 65_536;
/** Bytes of a line that are buffered: enough to detect that it exceeds the limit even when it ends with `\r`. */
const maxKeptBytes = maximumLineBytes + 2;

/** Range of lines to collect. */
export interface LineSelection {
  /** Number of lines to skip first. */
  readonly skip: number;
  readonly count: number;
  /** Bytes of text after which no further line is collected. */
  readonly maximumBytes: number;
  readonly decode: DecodeText;
}

/** Collects lines of a text that arrives in chunks, without ever buffering a whole long line. */
export class LineCollector {
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
    return this.#lineBytes > maxKeptBytes ? this.#ended : undefined;
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
    const remaining = maxKeptBytes - Math.min(this.#lineBytes, maxKeptBytes);
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
