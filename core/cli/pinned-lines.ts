const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const eraseDown = '\u001B[0J';

/**
 * Lines that stay at the bottom of a terminal and change in place, while other lines go by above
 * them. Each method returns the text that brings the screen from one state to the next.
 */
export class PinnedLines {
  #lines: readonly string[] = [];

  /** Replaces the lines; none takes them away. No line may be wider than the terminal. */
  replace(lines: readonly string[]): string {
    const before = this.#lines;
    this.#lines = lines;
    const cursor = before.length === 0 && lines.length > 0 ? hideCursor : '';
    const end = before.length > 0 && lines.length === 0 ? showCursor : '';
    return cursor + erase(before) + this.#text() + end;
  }

  /** Lets text pass above; it ends with a line end. */
  above(text: string): string {
    return erase(this.#lines) + text + this.#text();
  }

  get shown(): boolean {
    return this.#lines.length > 0;
  }

  #text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

const erase = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\u001B[${lines.length}F${eraseDown}`;
