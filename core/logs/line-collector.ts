import type { DecodeText } from './decode-text.ts';

const newline = 10;
const carriageReturn = 13;

/** Bytes of a line that are shown; the rest is cut. */
export const maximumLineBytes = 65_536;
/** Kept of a line: enough to see that it is over the limit even when it ends with `\r`. */
const keptBytes = maximumLineBytes + 2;

/** Which lines of a text to take. */
export interface LineWish {
  /** Lines to pass over first. */
  readonly skip: number;
  readonly count: number;
  /** Bytes of text after which no further line is taken. */
  readonly maximumBytes: number;
  readonly decode: DecodeText;
}

/** Takes lines out of a text that arrives in chunks, without ever holding a whole long line. */
export class LineCollector {
  readonly lines: string[] = [];
  readonly #wish: LineWish;
  #toSkip: number;
  #ended = 0;
  #bytes = 0;
  #parts: Buffer[] = [];
  #partBytes = 0;

  constructor(wish: LineWish) {
    this.#wish = wish;
    this.#toSkip = wish.skip;
  }

  /** Whether no further bytes are needed. */
  get satisfied(): boolean {
    return this.lines.length >= this.#wish.count || this.#bytes >= this.#wish.maximumBytes;
  }

  /** Which line, from the first one passed in, is so long already that the rest of it does not matter. */
  get overlongLine(): number | undefined {
    return this.#partBytes > keptBytes ? this.#ended : undefined;
  }

  /** Ends the line at hand; the next chunk begins the line after it. */
  endLine(): void {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else {
      const line = Buffer.concat(this.#parts);
      this.lines.push(showLine(line, this.#wish.decode));
      this.#bytes += Math.min(line.length, maximumLineBytes);
    }
    this.#ended += 1;
    this.#parts = [];
    this.#partBytes = 0;
  }

  /** The chunk's bytes are copied where they are kept. */
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

  /** The text is over: what is left is an unfinished last line. */
  finish(): void {
    if (this.#partBytes > 0 && !this.satisfied) this.endLine();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#toSkip > 0) {
      this.#partBytes += part.length;
      return;
    }
    const room = keptBytes - Math.min(this.#partBytes, keptBytes);
    if (room > 0) this.#parts.push(Buffer.from(part.subarray(0, room)));
    this.#partBytes += part.length;
  }

  /** The last wanted line is already too long: where it ends does not matter. */
  #isLastAndCut(): boolean {
    const last = this.#toSkip === 0 && this.lines.length === this.#wish.count - 1;
    return last && this.overlongLine !== undefined;
  }
}

/** A line as it is shown: no `\r` at its end, U+FFFD for what cannot be decoded, cut with `…` when too long. */
export function showLine(line: Buffer, decode: DecodeText): string {
  const bare = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  if (bare.length <= maximumLineBytes) return decode(bare);
  return `${decode(bare.subarray(0, findCut(bare)))}…`;
}

/** The last place at or before the limit that does not split a UTF-8 sequence. */
function findCut(line: Buffer): number {
  for (let cut = maximumLineBytes; cut > maximumLineBytes - 4; cut -= 1) {
    if ((line[cut]! & 0b1100_0000) !== 0b1000_0000) return cut;
  }
  return maximumLineBytes;
}
