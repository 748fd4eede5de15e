/**
 * Returns positions in a row as close as possible to the requested ones, in the same order and at least a pitch
 * apart: requested positions that are too close become a run of neighbors around their mean.
 */
export function spreadPositions(requests: readonly number[], pitch: number): readonly number[] {
  // After subtracting the pitches, the positions only have to increase; runs that do not are merged to their
  // mean.
  const runs: { sum: number; count: number }[] = [];
  requests.forEach((options, index) => {
    let run = { sum: options - index * pitch, count: 1 };
    for (let last = runs.at(-1); last && last.sum / last.count >= run.sum / run.count; last = runs.at(-1)) {
      run = { sum: last.sum + run.sum, count: last.count + run.count };
      runs.pop();
    }
    runs.push(run);
  });
  const means = runs.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return means.map((mean, index) => mean + index * pitch);
}
