import type { RunDetailView, RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import { useAllSubRuns } from '../../api/queries/runs/run-queries.ts';
import { paths } from '../../app/paths.ts';

interface Crumb {
  readonly label: string;
  readonly href: string;
}

/** Returns the ancestors of a run, topmost first. @param below summaries of all sub-runs of the topmost run */
export function listAncestors(
  run: Pick<RunSummaryView, 'parent' | 'root' | 'dagRunId'>,
  below: readonly RunSummaryView[],
): RunRef[] {
  const ancestors: RunRef[] = [];
  let parent: RunRef | undefined = run.parent;
  while (parent !== undefined && !ancestors.some(({ dagRunId }) => dagRunId === parent!.dagRunId)) {
    const { name, dagRunId }: RunRef = parent;
    ancestors.unshift({ name, dagRunId });
    parent = below.find((one) => one.dagRunId === dagRunId && one.name === name)?.parent;
  }
  const { root } = run;
  if (root && root.dagRunId !== run.dagRunId && root.dagRunId !== ancestors[0]?.dagRunId)
    ancestors.unshift(root);
  return ancestors;
}

/** Breadcrumbs of a run: the list of runs, then every ancestor. */
export function useRunBreadcrumbs(run: RunDetailView | undefined): Crumb[] {
  const root = run?.root ?? { name: '', dagRunId: '' };
  const isDeep = run?.parent !== undefined && root.dagRunId !== run.parent.dagRunId;
  const below = useAllSubRuns(root, isDeep && root.dagRunId !== '').data ?? [];
  const trail: Crumb[] = [{ label: 'Runs', href: paths.runs }];
  if (!run) return trail;
  const ancestors = listAncestors(run, below).map(({ name, dagRunId }) => ({
    label: name,
    href: paths.run(name, dagRunId),
  }));
  return [...trail, ...ancestors];
}
