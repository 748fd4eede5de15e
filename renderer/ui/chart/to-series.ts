import type UPlot from 'uplot';

/** A sample. */
export interface Sample {
  readonly timestamp: string;
  readonly value: number;
}

/** Number of missing sample intervals from which on the line is interrupted. */
const gapFactor = 4;

/** Converts samples to chart data: seconds, values, and null in the middle of a gap. */
export function toSeries(points: readonly Sample[]): UPlot.AlignedData {
  const times = points.map(({ timestamp }) => Date.parse(timestamp) / 1000);
  const usual = medianStep(times);
  const xs: number[] = [];
  const ys: (number | null)[] = [];
  for (const [index, at] of times.entries()) {
    const before = times[index - 1];
    if (before !== undefined && at - before > usual * gapFactor) {
      xs.push((before + at) / 2);
      ys.push(null);
    }
    xs.push(at);
    ys.push(points[index]!.value);
  }
  return [xs, ys];
}

function medianStep(times: readonly number[]): number {
  const steps = times.slice(1).map((at, index) => at - times[index]!);
  return steps.toSorted((left, right) => left - right)[steps.length >> 1] ?? Infinity;
}

/** Returns the highest sample, the first one of several. */
export const findPeak = (points: readonly Sample[]): Sample | undefined =>
  points.reduce<Sample | undefined>(
    (best, point) => (best === undefined || point.value > best.value ? point : best),
    undefined,
  );
