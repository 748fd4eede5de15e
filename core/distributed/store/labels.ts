import type { Labels } from '../ports.ts';

/** Encodes labels for the database: `name=value`, sorted. A `=` in a name is encoded as `%3D`. */
export const writeLabels = (labels: Labels): string[] =>
  Object.entries(labels)
    .map(([name, value]) => `${name.replaceAll(/[%=]/g, encodeURIComponent)}=${value}`)
    .sort();

/** Decodes labels of {@link writeLabels}. */
export const readLabels = (lines: readonly string[]): Labels =>
  Object.fromEntries(
    lines.map((label) => {
      const end = label.indexOf('=');
      return [decodeURIComponent(label.slice(0, end)), label.slice(end + 1)];
    }),
  );

/** Whether all requested labels are present. */
export function hasLabels(labels: readonly string[], required: readonly string[]): boolean {
  const known = new Set(labels);
  return required.every((label) => known.has(label));
}
