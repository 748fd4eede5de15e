import type { Labels } from '../ports.ts';

/** Labels as the database has them: `name=value`, sorted. A `=` in a name is written as `%3D`. */
export const writeLabels = (labels: Labels): string[] =>
  Object.entries(labels)
    .map(([name, value]) => `${name.replaceAll(/[%=]/g, encodeURIComponent)}=${value}`)
    .sort();

/** What {@link writeLabels} has written. */
export const readLabels = (written: readonly string[]): Labels =>
  Object.fromEntries(
    written.map((label) => {
      const end = label.indexOf('=');
      return [decodeURIComponent(label.slice(0, end)), label.slice(end + 1)];
    }),
  );

/** Whether all that is asked for is there. */
export function hasLabels(labels: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(labels);
  return wanted.every((label) => known.has(label));
}
