/** A file, function or directory with its size. */
export interface Sized {
  readonly place: string;
  readonly lines: number;
}

/** Returns a quantile of values. @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

/** Formats count, sum, median, 90th percentile and maximum in columns. */
export function formatSizes(sized: readonly Sized[]): string {
  const lines = sized.map((one) => one.lines);
  const sum = lines.reduce((total, one) => total + one, 0);
  const column = (value: number): string => value.toLocaleString('en').padStart(8);
  return `${column(lines.length)} in ${column(sum)} lines; median ${column(quantile(lines, 0.5))}, 90 % ${column(quantile(lines, 0.9))}, most ${column(quantile(lines, 1))}`;
}

/** Returns the `count` largest, largest first. */
export const largest = (sized: readonly Sized[], count: number): Sized[] =>
  sized.toSorted((left, right) => right.lines - left.lines).slice(0, count);

/** Counts items by their place. */
export const sumBy = <Thing>(things: readonly Thing[], placeOf: (thing: Thing) => string): Sized[] =>
  Array.from(Map.groupBy(things, placeOf), ([place, own]) => ({ place, lines: own.length }));
