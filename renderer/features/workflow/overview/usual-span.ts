import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { spanOf } from '../../../format/time.ts';

/** Fewer runs are not representative. */
const fewest = 3;

/** Returns the median duration of successful runs, in ms. */
export function medianDuration(
  runs: readonly Pick<RunSummaryView, 'status' | 'startedAt' | 'finishedAt'>[],
): number | undefined {
  const spans = runs
    .filter(({ status }) => status === 'succeeded')
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt === undefined || finishedAt === undefined ? [] : [spanOf(startedAt, finishedAt, 0)],
    )
    .toSorted((one, other) => one - other);
  return spans.length < fewest ? undefined : spans[Math.floor(spans.length / 2)];
}
