/**
 * Places in a row that are as near as possible to wished ones, keep their order and are at least a pitch apart: wishes
 * that come too close to each other are met by a run of neighbours around their mean.
 */
export function spread(wishes: readonly number[], pitch: number): readonly number[] {
  // Without the pitches they only have to grow, and runs that would not are merged to their mean.
  const runs: { sum: number; count: number }[] = [];
  wishes.forEach((wish, index) => {
    let run = { sum: wish - index * pitch, count: 1 };
    for (let last = runs.at(-1); last && last.sum / last.count >= run.sum / run.count; last = runs.at(-1)) {
      run = { sum: last.sum + run.sum, count: last.count + run.count };
      runs.pop();
    }
    runs.push(run);
  });
  const means = runs.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return means.map((mean, index) => mean + index * pitch);
}
