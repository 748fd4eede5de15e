const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size: `870 bytes`, `61.9 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
