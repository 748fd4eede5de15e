import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { spanOf } from '../../../format/time.ts';

/** Fewer say nothing of what is usual. */
const fewest = 3;

/** How long runs usually take that succeed, ms: the middle one of those given. */
export function findUsualSpan(
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
