import { pluralize } from '../../base/text/pluralize.ts';
const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size: `870 bytes`, `4.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return pluralize(bytes, 'byte');
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
