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
