/**
 * Returns the first line of a script or SQL that does something, after interpreter lines, comments, `set` options and
 * lone brackets. Falls back to the first line.
 */
export function summaryLine(script: string): string {
  const lines = script.split('\n').map((line) => line.trim());
  const telling = lines.find((line) => /\w/.test(line) && !/^(?:#|--\s|set [-+])/.test(line));
  return telling ?? lines[0] ?? '';
}
