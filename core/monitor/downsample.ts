import type { Point } from './reading-ring.ts';

/**
 * Reduces points for a chart. The period is divided into equal parts; the points of a part are replaced by their mean,
 * at the time of the last one. Empty parts stay empty, so that gaps remain.
 * @param points ascending, none before `from` or after `to`
 */
export function downsample(
  points: readonly Point[],
  max: number,
  from: number,
  to: number,
): readonly Point[] {
  if (points.length <= max) return points;
  const width = (to - from) / max;
  const sampled: Point[] = [];
  let sum = 0;
  let count = 0;
  points.forEach(({ at, value }, index) => {
    sum += value;
    count += 1;
    const next = points[index + 1];
    if (next !== undefined && partOf(next.at) === partOf(at)) return;
    sampled.push({ at, value: sum / count });
    sum = 0;
    count = 0;
  });
  return sampled;

  function partOf(at: number): number {
    return Math.min(max - 1, Math.floor((at - from) / width));
  }
}
