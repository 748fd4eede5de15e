import { formatDuration } from '../../../../format/duration.ts';

const units = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

/** Seconds of a duration with units, such as `1h 30m`; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const bare = text.trim().toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?\s*[dhms]\s*)+$/.test(bare)) return undefined;
  return [...bare.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}

/** Seconds in words that are read at a glance; empty where the figure itself says it. */
export function showDuration(text: string): string {
  const seconds = readDuration(text) ?? (text.trim() === '' ? Number.NaN : Number(text));
  return Number.isFinite(seconds) && seconds >= 0 ? formatDuration(seconds * 1000) : '';
}
