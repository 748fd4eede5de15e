/** Splits a text into lines including their line endings; the last line may have none. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Returns a line without its line ending. */
export const contentOf = (line: string): string => line.replace(/\r?\n$/, '');

/** Returns the most common line ending; `\n` if there is none. */
export function commonEnding(lines: readonly string[]): '\n' | '\r\n' {
  const ended = lines.filter((line) => line.endsWith('\n'));
  const windows = ended.filter((line) => line.endsWith('\r\n'));
  return windows.length * 2 > ended.length ? '\r\n' : '\n';
}

/** Replaces the line ending of a line, if it has one. */
export const withLineEnding = (line: string, ending: string): string =>
  line.endsWith('\n') ? contentOf(line) + ending : line;

/** Joins lines; adds the line ending to lines in between that have none. */
export function joinLines(lines: readonly string[], ending: string): string {
  const last = lines.length - 1;
  return lines.map((line, index) => (index < last && !line.endsWith('\n') ? line + ending : line)).join('');
}
