import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import type { RunStatus } from '../../../core/model/run/status.ts';

const shownRuns = 10;

/** Returns the statuses of each workflow's newest runs, oldest first, from a list that is newest first. */
export function collectRecent(runs: readonly RunSummaryView[]): ReadonlyMap<string, readonly RunStatus[]> {
  const recent = new Map<string, RunStatus[]>();
  for (const { name, status } of runs) {
    const statuses = recent.get(name);
    if (!statuses) recent.set(name, [status]);
    else if (statuses.length < shownRuns) statuses.unshift(status);
  }
  return recent;
}
