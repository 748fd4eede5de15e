/** Reads a number; undefined if there is none. */
export function readNumber(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Reads a number; a string that is not a number is an expression that is evaluated when the step starts. */
export function readNumberOrExpression(value: number | string): number | string {
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** Reads a duration in seconds; 0 means no limit and is omitted. */
export function readTimeout(value: number | string | undefined): number | undefined {
  return Number(value ?? 0) > 0 ? Number(value) : undefined;
}

/** Reads one exit code or a list of them. */
export function readExitCodes(value: number | string | (number | string)[] | undefined): number[] {
  return value === undefined ? [] : [value].flat().map(Number);
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Converts a duration to seconds: `90`, `30s`, `1m30s`, `7d`. */
export function readDuration(value: number | string | undefined): number | undefined {
  if (value === undefined || !Number.isNaN(Number(value))) return readNumber(value);
  const matches = String(value).matchAll(/([0-9.]{1,19})(ms|s|m|h|d)/g);
  return [...matches].reduce((sum, [, number, unit]) => sum + Number(number) * (unitSeconds[unit!] ?? 0), 0);
}
