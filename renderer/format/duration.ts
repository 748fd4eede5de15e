/**
 * Formats a duration: `340 ms`, `4.2 s`, `1m 04s`, `2h 05m`, `3d 04h`.
 * @param milliseconds negative values, which clock changes can cause, count as zero
 */
export function formatDuration(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (Math.round(span) < 1_000) return `${Math.round(span)} ms`;
  if (span < 9_950) return `${(span / 1_000).toFixed(1)} s`;
  const seconds = Math.round(span / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)}d ${pad(hours % 24)}h`;
}

/**
 * Formats an ongoing duration in whole seconds, so that a ticking display does not flicker: `0 s`, `7 s`, `1m
 * 04s`.
 */
export const formatTicking = (milliseconds: number): string => {
  const whole = Math.floor(Math.max(0, milliseconds) / 1_000) * 1_000;
  return whole < 10_000 ? `${whole / 1_000} s` : formatDuration(whole);
};

const pad = (value: number): string => String(value).padStart(2, '0');
