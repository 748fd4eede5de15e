/**
 * The first line of a script or of SQL that does something: interpreter lines, comments, `set` options and lone
 * brackets come before it. The first line at all where none does.
 */
export function findTellingLine(script: string): string {
  const lines = script.split('\n').map((line) => line.trim());
  const telling = lines.find((line) => /\w/.test(line) && !/^(?:#|--\s|set [-+])/.test(line));
  return telling ?? lines[0] ?? '';
}
