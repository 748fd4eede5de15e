// A file of its own: the rules of workflows, the configuration, the API, the command line and the UI read durations.

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Parses a duration to seconds: `90`, `1.5h`, `1h30m`, `7d`.
 * @returns undefined if it is invalid
 */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,10}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  if (!/^(?:\d{1,10}(?:\.\d{1,9})?(?:ms|[smhd])){1,5}$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]{1,20})(ms|[smhd])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit!]!, 0);
}

/** Parses a duration that has units, for input of people: `30m`, but not `30`. */
export const parseSpan = (text: string): number | undefined =>
  /\d$/.test(text) ? undefined : parseDuration(text);
