const newline = 10;

/** A line whose start offset is known. */
export interface LineCheckpoint {
  /** 0-based. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
}

/** Bytes between two marks, while there are few of them. */
const firstSpacing = 65_536;
/** Above this number of marks every other one is removed, so that memory does not grow with the file. */
const maximumMarks = 16_384;

/**
 * An index of the lines of a growing text: the start of a line about every 64 KiB. Lines end with `\n`; a last line
 * without one counts. It must receive the whole text from its start, in order.
 */
export class LineIndex {
  #size = 0;
  #newlines = 0;
  #lastLineStart = 0;
  #spacing = firstSpacing;
  #marks: LineCheckpoint[] = [{ line: 0, offset: 0 }];

  /** Bytes indexed so far. */
  get size(): number {
    return this.#size;
  }

  /** Lines indexed so far, including an unfinished last one. */
  get totalLines(): number {
    return this.#newlines + (this.#lastLineStart < this.#size ? 1 : 0);
  }

  /** Number of lines with an end. */
  get finishedLines(): number {
    return this.#newlines;
  }

  get markCount(): number {
    return this.#marks.length;
  }

  /** Indexes the next bytes. */
  push(chunk: Buffer): void {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      this.#newlines += 1;
      this.#lastLineStart = this.#size + at + 1;
      if (this.#lastLineStart - this.#marks.at(-1)!.offset >= this.#spacing) this.#mark();
    }
    this.#size += chunk.length;
  }

  /** Returns the last known line start at or before a line. */
  seek(line: number): LineCheckpoint {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#marks[middle]!.line <= line) low = middle;
      else high = middle - 1;
    }
    return this.#marks[low]!;
  }

  #mark(): void {
    this.#marks.push({ line: this.#newlines, offset: this.#lastLineStart });
    if (this.#marks.length <= maximumMarks) return;
    this.#marks = this.#marks.filter((_, position) => position % 2 === 0);
    this.#spacing *= 2;
  }
}
