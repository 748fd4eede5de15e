import type { StepRunView } from '../../../../core/contract/runs/run-views.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';

const endOf = ({ finishedAt }: StepRunView): number =>
  finishedAt === undefined ? Infinity : Date.parse(finishedAt);

/**
 * The steps that decided how long a run took: the one that ended last, and from each the one among those it waited
 * for that ended last. While a run goes on, the one that runs longest already counts as the last.
 * @returns names of steps
 */
export function findCriticalPath(
  workflow: Pick<Workflow, 'steps'>,
  steps: readonly StepRunView[],
): ReadonlySet<string> {
  const begun = new Map(steps.filter(({ attempts }) => attempts.length > 0).map((step) => [step.name, step]));
  const depends = new Map(workflow.steps.map((step) => [step.name, step.depends]));
  const path = new Set<string>();
  let next = findLast([...begun.values()]);
  while (next !== undefined && !path.has(next.name)) {
    path.add(next.name);
    next = findLast((depends.get(next.name) ?? []).flatMap((name) => begun.get(name) ?? []));
  }
  return path;
}

/** What ended last; of those that still run, the one that began first. */
function findLast(steps: readonly StepRunView[]): StepRunView | undefined {
  return [...steps].sort(
    (left, right) =>
      endOf(right) - endOf(left) || (left.startedAt ?? '').localeCompare(right.startedAt ?? ''),
  )[0];
}
