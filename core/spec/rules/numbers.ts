/** Readers of numbers that may stand in quotes. The authored schema has refused everything else. */

/** A number, or undefined when there is none. */
export function readNumber(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** A number; a text that is none is an expression for one, evaluated when the step starts. */
export function readNumberOrExpression(value: number | string): number | string {
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** A duration in seconds; 0 means no limit and is left out. */
export function readTimeout(value: number | string | undefined): number | undefined {
  return Number(value ?? 0) > 0 ? Number(value) : undefined;
}

/** One exit code or a list of them. */
export function readExitCodes(value: number | string | (number | string)[] | undefined): number[] {
  return value === undefined ? [] : [value].flat().map(Number);
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `30s`, `1m30s`, `7d` → seconds. */
export function readDuration(value: number | string | undefined): number | undefined {
  if (value === undefined || !Number.isNaN(Number(value))) return readNumber(value);
  const parts = String(value).matchAll(/([0-9.]{1,19})(ms|s|m|h|d)/g);
  return [...parts].reduce((sum, [, number, unit]) => sum + Number(number) * (unitSeconds[unit!] ?? 0), 0);
}
