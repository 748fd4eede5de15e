/** The lines of a text, each with its ending; the last one may have none. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A line without its ending. */
export const contentOf = (line: string): string => line.replace(/\r?\n$/, '');

/** The ending that most of the lines have; `\n` when none has one. */
export function commonEnding(lines: readonly string[]): '\n' | '\r\n' {
  const ended = lines.filter((line) => line.endsWith('\n'));
  const windows = ended.filter((line) => line.endsWith('\r\n'));
  return windows.length * 2 > ended.length ? '\r\n' : '\n';
}

/** A line with another ending; one that has none stays so. */
export const withEnding = (line: string, ending: string): string =>
  line.endsWith('\n') ? contentOf(line) + ending : line;

/** One text of lines, each on a line of its own: where one in between has no ending, it gets this one. */
export function joinLines(lines: readonly string[], ending: string): string {
  const last = lines.length - 1;
  return lines.map((line, index) => (index < last && !line.endsWith('\n') ? line + ending : line)).join('');
}
