/** A figure that has a budget. */
export interface Figure {
  /** What was measured, in words for a reader of the table. */
  readonly what: string;
  readonly figure: number;
  /** Of the figure, its floor and its budget: `ms`, `a second`, `MB`, `% of a core`. */
  readonly unit: string;
  readonly budget: number;
  /** The least that the same takes, or the most that is possible, measured in the same run. */
  readonly floor?: number;
  /** The figure may not be less than its budget, instead of not more. */
  readonly isLeast?: boolean;
}

const mark = 'FIGURE ';

/** Tells whoever started the benchmark for its figures (`all.ts`); a person has them in the text beside. */
export function reportMetric(figure: Figure): void {
  if (process.env['BENCH_FIGURES']) process.stdout.write(`${mark}${JSON.stringify(figure)}\n`);
}

/** The figures among the lines that a benchmark has written. */
export const readFigures = (text: string): readonly Figure[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => JSON.parse(line.slice(mark.length)) as Figure);

export const isKept = ({ figure, budget, isLeast = false }: Figure): boolean =>
  isLeast ? figure >= budget : figure <= budget;

/** Rows for a table in Markdown, without their head. */
export const formatFigure = (figure: Figure): string => {
  const { what, unit, budget, floor, isLeast } = figure;
  const cells = [
    what,
    floor === undefined ? '' : formatNumber(floor),
    `${formatNumber(figure.figure)} ${unit}`,
    floor ? (figure.figure / floor).toFixed(2) : '',
    `${isLeast ? '≥' : '≤'} ${formatNumber(budget)}`,
    isKept(figure) ? 'yes' : '**no**',
  ];
  return `| ${cells.join(' | ')} |`;
};

export const figureHead =
  '| Benchmark | Floor | Result | Ratio | Budget | Met |\n|---|---:|---:|---:|---:|---|';

const formatNumber = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
