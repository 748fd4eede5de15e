const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats a duration for display: `0.1s`, `59.9s`, `1m 05s`, `2h 03m`, `3d 04h`. */
export function formatDuration(milliseconds: number): string {
  const tenths = Math.max(0, Math.round(milliseconds / 100));
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(tenths / 10);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${twoDigits(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${twoDigits(hours % 24)}h`;
}

const byteUnits = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size: `870 bytes`, `4.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return pluralize(bytes, 'byte');
  const power = Math.min(byteUnits.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${byteUnits[power - 1]}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for element content and attribute values of HTML and XML. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!);

/** Formats a count with its noun: `1 step`, `3 steps`. */
export const pluralize = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Parameters of the gateway that are not filters. */
const words: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'and',
  'or',
]);

/** Quotes a column for a filter of the gateway: dots, arrows and reserved words have another meaning unless quoted. */
export const quoteIdentifier = (name: string): string =>
  /^[\w$]+$/.test(name) && !words.has(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;

/** Quotes a string as one word for a POSIX shell: within single quotes no character is special. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Removes the byte order mark that some programs write, and that is not part of the content. */
export const stripBom = (text: string): string => text.replace(/^\uFEFF/, '');

/** Truncates a string for display, with an ellipsis. */
export const truncate = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

/** Returns the length of `text` in UTF-8 bytes. */
export function countUtf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // A surrogate pair is two units and four bytes, so each half counts as two.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** Escape sequences other than colours and styles (ECMA-48): links, titles, cursor movements. */
const otherSequences =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001B(?:\][^\u0007\u001B]*(?:\u0007|\u001B\\|$)|\[(?![0-9;:]*m)[0-?]*[ -/]*(?:[@-~]|$)|[()*+][ -~]|[=>78cDEHMNOZ])/g;
// oxlint-disable-next-line no-control-regex -- as above
const styleSequences = /\u001B\[[0-9;:]*m/g;
// oxlint-disable-next-line no-control-regex -- as above
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/**
 * Whether a string contains control characters that affect a terminal: carriage return counts, line feed and tab do
 * not.
 */
export const hasControls = (text: string): boolean => text.search(controls) >= 0;

/** Removes the escape sequences of colours and styles. */
export const stripAnsiStyles = (text: string): string => text.replaceAll(styleSequences, '');

/** Returns the final content of a line that a progress display has overwritten. */
function keepLastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** Returns how often a line was overwritten, 0 for never. */
export const countOverwrites = (line: string): number =>
  line.includes('\r') ? line.split('\r').filter((part) => part !== '').length - 1 : 0;

/** Returns a line of output with only its visible text and the escape sequences of colours and styles. */
export function styledText(line: string): string {
  if (!hasControls(line)) return line;
  return keepLastOverwrite(line).replaceAll(otherSequences, '');
}

export const removeControlCharacters = (text: string): string => text.replaceAll(controls, '');

/** Returns a line of output as displayed, without colours: the text for searching and for counting columns. */
export function visibleText(line: string): string {
  if (!hasControls(line)) return line;
  return removeControlCharacters(stripAnsiStyles(styledText(line)));
}

/** Longest word that gets a suggestion. */
const MAX_WORD_LENGTH = 100;

/** Most pairs of characters that one search compares: about five milliseconds. */
const MAX_CELLS = 500_000;

/**
 * Returns the candidate most similar to `word`, if it is similar enough to be a likely typo. Examines only the first
 * candidates when there are too many to compare.
 */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  const folded = word.toLowerCase();
  let cells = MAX_CELLS;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(folded.length - candidate.length) >= bestDistance) continue;
    cells -= (folded.length + 1) * (candidate.length + 1);
    if (cells < 0) break;
    const distance = editDistance(folded, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/**
 * Returns the edit distance between two words, a swap of neighbours counting as one, or `limit` as soon as it cannot be
 * lower.
 */
function editDistance(a: string, b: string, limit: number): number {
  const width = b.length + 1;
  let beforeThat = new Uint16Array(width);
  let previous = Uint16Array.from({ length: width }, (_, index) => index);
  let current = new Uint16Array(width);
  let previousLeast = 0;
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row;
    let min = row;
    for (let column = 1; column < width; column += 1) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = row > 1 && column > 1 && isSwap ? beforeThat[column - 2]! + 1 : limit;
      const distance = Math.min(substitution, swap, previous[column]! + 1, current[column - 1]! + 1);
      current[column] = distance;
      min = Math.min(min, distance);
    }
    if (Math.min(min, previousLeast) >= limit) return limit;
    previousLeast = min;
    [beforeThat, previous, current] = [previous, current, beforeThat];
  }
  return previous[width - 1]!;
}

/**
 * Returns the first line of a script or SQL that does something, after interpreter lines, comments, `set` options and
 * lone brackets. Falls back to the first line.
 */
export function summaryLine(script: string): string {
  const lines = script.split('\n').map((line) => line.trim());
  const telling = lines.find((line) => /\w/.test(line) && !/^(?:#|--\s|set [-+])/.test(line));
  return telling ?? lines[0] ?? '';
}
