/** A file, function or directory with its size. */
export interface Measured {
  readonly path: string;
  readonly lines: number;
}

/** Returns a quantile of values. @param part from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Formats count, sum, median, 90th percentile and maximum in columns. */
export function formatSizes(sized: readonly Measured[]): string {
  const lines = sized.map((one) => one.lines);
  const sum = lines.reduce((total, one) => total + one, 0);
  const column = (value: number): string => value.toLocaleString('en').padStart(8);
  return `${column(lines.length)} in ${column(sum)} lines; median ${column(quantile(lines, 0.5))}, 90 % ${column(quantile(lines, 0.9))}, most ${column(quantile(lines, 1))}`;
}

/** Returns the `count` largest, largest first. */
export const takeLargest = (sized: readonly Measured[], count: number): Measured[] =>
  sized.toSorted((left, right) => right.lines - left.lines).slice(0, count);

/** Counts items by their place. */
export const sumBy = <Thing>(things: readonly Thing[], placeOf: (thing: Thing) => string): Measured[] =>
  Array.from(Map.groupBy(things, placeOf), ([path, own]) => ({ path, lines: own.length }));
