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
