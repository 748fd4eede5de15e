/** A measurement with a budget. */
export interface Figure {
  /** Label in the table. */
  readonly what: string;
  readonly figure: number;
  /** Unit of the value, its floor and its budget: `ms`, `a second`, `MB`, `% of a core`. */
  readonly unit: string;
  readonly budget: number;
  /** The minimum or maximum possible, measured in the same run. */
  readonly floor?: number;
  /** The budget is a minimum instead of a maximum. */
  readonly isLeast?: boolean;
}

const mark = 'FIGURE ';

/**
 * Reports the results to the process that started the benchmark (`all.ts`); the text output is for people.
 */
export function reportMetric(figure: Figure): void {
  if (process.env['BENCH_FIGURES']) process.stdout.write(`${mark}${JSON.stringify(figure)}\n`);
}

/** The results among the lines that a benchmark has printed. */
export const readFigures = (text: string): readonly Figure[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => JSON.parse(line.slice(mark.length)) as Figure);

export const isWithinBudget = ({ figure, budget, isLeast = false }: Figure): boolean =>
  isLeast ? figure >= budget : figure <= budget;

/** Rows of a Markdown table, without its header. */
export const formatFigure = (figure: Figure): string => {
  const { what, unit, budget, floor, isLeast } = figure;
  const cells = [
    what,
    floor === undefined ? '' : formatNumber(floor),
    `${formatNumber(figure.figure)} ${unit}`,
    floor ? (figure.figure / floor).toFixed(2) : '',
    `${isLeast ? '≥' : '≤'} ${formatNumber(budget)}`,
    isWithinBudget(figure) ? 'yes' : '**no**',
  ];
  return `| ${cells.join(' | ')} |`;
};

export const figureHeader =
  '| Benchmark | Floor | Result | Ratio | Budget | Met |\n|---|---:|---:|---:|---:|---|';

const formatNumber = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
