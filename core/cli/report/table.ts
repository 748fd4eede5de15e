import { displayWidth } from './plain-text.ts';

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
  const width = Math.max(...present.map(([label]) => label.length));
  return present.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return right ? space + text : text + space;
}
