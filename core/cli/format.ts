import { eastAsianWidth } from 'get-east-asian-width';
import { formatDuration, stripAnsiStyles } from '../base/text.ts';
import type { StepStatus } from '../model/run.ts';
import type { Channel, Paint } from './terminal.ts';

/**
 * Formats columns with a heading, separated by two spaces, so that `awk` can parse them. Empty columns are omitted.
 * Cells may contain colour codes.
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly string[] = [],
): string[] {
  const shown = headings.map((_, column) => rows.some((row) => row[column] !== ''));
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => displayWidth(line[column] ?? ''))),
  );
  return lines.map((line) =>
    headings
      .flatMap((heading, column) =>
        shown[column] ? [pad(line[column] ?? '', widths[column] ?? 0, rightAligned.includes(heading))] : [],
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Formats label and value pairs with aligned values; pairs without a value are omitted. */
export function formatFields(
  fields: readonly (readonly [label: string, value: string | undefined])[],
): string[] {
  const present = fields.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...present.map(([label]) => displayWidth(label)));
  return present.map(([label, value]) => `${padToWidth(label, width)}  ${value}`);
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return right ? space + text : text + space;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats the local time: `15:04:05`. */
export function formatClockTime(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
}

/** Formats the local date and time: `2026-11-20 15:04:05`. */
export function formatDateTime(time: Date): string {
  const date = [String(time.getFullYear()), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join(
    '-',
  );
  return `${date} ${formatClockTime(time)}`;
}

/** Formats a duration, up to `now` if not ended; undefined if not started. All times ISO, `now` epoch milliseconds. */
export function formatElapsed(
  span: { readonly startedAt?: string; readonly finishedAt?: string },
  now: number,
): string | undefined {
  if (span.startedAt === undefined) return undefined;
  const end = span.finishedAt === undefined ? now : Date.parse(span.finishedAt);
  return formatDuration(end - Date.parse(span.startedAt));
}

/** Control characters must not move the cursor, or change colours or the title of a terminal. */
const controlCharacters = /\p{Cc}/gu;

/** Makes a string safe for one terminal line: newlines become spaces, control characters visible. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .trim()
    .replace(controlCharacters, '\uFFFD');
}

/** Characters without a column of their own: combining marks, joiners and variation selectors. */
const zeroWidth = /[\p{Mark}\p{Default_Ignorable_Code_Point}]/u;
const zeroWidthJoiner = '\u200D';

/** Columns of each character. A joined emoji, such as a family, has the columns of its first character. */
function* measureCharacters(text: string): Generator<{ character: string; columns: number }> {
  let isJoined = false;
  for (const character of text) {
    const columns = isJoined || zeroWidth.test(character) ? 0 : eastAsianWidth(character.codePointAt(0)!);
    isJoined = character === zeroWidthJoiner;
    yield { character, columns };
  }
}

/** Returns the number of terminal columns; colour codes have no width, CJK characters and emoji two columns. */
export function displayWidth(text: string): number {
  const plain = stripAnsiStyles(text);
  if (/^[ -~]*$/.test(plain)) return plain.length;
  return Array.from(measureCharacters(plain)).reduce((sum, { columns }) => sum + columns, 0);
}

/**
 * Truncates a string to `width` terminal columns, with `…` at the end. The string must not contain colour codes.
 */
export function truncateToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = '';
  let used = 0;
  for (const { character, columns } of measureCharacters(text)) {
    used += columns;
    if (used >= width) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Pads a string with spaces to `width` terminal columns. */
export const padToWidth = (text: string, width: number): string => pad(text, width, false);

/** Shape, word and colour of each status. The word is that of the API. */
export const statusStyles = {
  not_started: { shape: '○', paint: 'gray' },
  queued: { shape: '◔', paint: 'cyan' },
  running: { shape: '▶', paint: 'blue' },
  succeeded: { shape: '✔', paint: 'green' },
  partially_succeeded: { shape: '◐', paint: 'yellow' },
  failed: { shape: '✖', paint: 'red' },
  aborted: { shape: '■', paint: 'magenta' },
  skipped: { shape: '–', paint: 'gray' },
} as const satisfies Record<StepStatus, { shape: string; paint: Paint }>;

/** Returns shape and word of a status, coloured if the channel supports it. */
export function formatStatus(channel: Channel, status: StepStatus): string {
  const { shape, paint } = statusStyles[status];
  return channel.paint(paint, `${shape} ${status}`);
}
