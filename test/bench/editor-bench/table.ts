import { reportMetric } from '../rig/figures.ts';

/** A measurement in milliseconds. */
export interface Row {
  readonly what: string;
  readonly ms: number;
  /** The minimum for the same work; missing if there is nothing to compare with. */
  readonly floor?: number;
  readonly budget?: number;
}

let head = '';

export function printHeader(steps: number): void {
  head = `editor, ${steps} steps`;
  console.log(`\n${`${steps} steps`.padEnd(36)}${cells(['ms', 'floor', 'ratio', 'budget', ''])}`);
}

export function printRows(rows: readonly Row[]): void {
  for (const { what, ms, floor, budget } of rows) {
    const ratio = floor ? (ms / floor).toFixed(1) : '';
    const verdict = budget === undefined ? '' : ms <= budget ? 'kept' : 'OVER';
    if (budget !== undefined)
      reportMetric({ what: `${head}: ${what}`, ...(floor && { floor }), figure: ms, unit: 'ms', budget });
    console.log(what.padEnd(36) + cells([Math.round(ms), floor ?? '', ratio, budget ?? '', verdict]));
  }
}

const cells = (values: readonly (string | number)[]): string =>
  values.map((value) => String(value).padStart(8)).join('');
