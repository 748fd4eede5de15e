const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const eraseDown = '\u001B[0J';

/**
 * Lines pinned to the bottom of a terminal, which change in place while other output scrolls above. Each method
 * returns the escape sequences for the change.
 */
export class PinnedLines {
  #lines: readonly string[] = [];

  /** Replaces the lines; an empty list removes them. Lines must not be wider than the terminal. */
  replace(lines: readonly string[]): string {
    const before = this.#lines;
    this.#lines = lines;
    const cursor = before.length === 0 && lines.length > 0 ? hideCursor : '';
    const end = before.length > 0 && lines.length === 0 ? showCursor : '';
    return cursor + erase(before) + this.#text() + end;
  }

  /** Prints text above the lines; the text must end with a newline. */
  printAbove(text: string): string {
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
