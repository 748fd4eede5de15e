import { formatDuration } from '../../../../format/duration.ts';

const units = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

/** Parses a duration with units, such as `1h 30m`, to seconds; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const bare = text.trim().toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?\s*[dhms]\s*)+$/.test(bare)) return undefined;
  return [...bare.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}

/** Formats seconds for reading at a glance; empty where the number is clear by itself. */
export function showDuration(text: string): string {
  const seconds = readDuration(text) ?? (text.trim() === '' ? Number.NaN : Number(text));
  return Number.isFinite(seconds) && seconds >= 0 ? formatDuration(seconds * 1000) : '';
}
