import type { StepRunView } from '../../../../core/contract/runs/run-views.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';

const endOf = ({ finishedAt }: StepRunView): number =>
  finishedAt === undefined ? Infinity : Date.parse(finishedAt);

/**
 * Finds the critical path: the step that ended last, and from each step its dependency that ended last. In an
 * active run, the longest-running step counts as the last.
 * @returns step names
 */
export function findCriticalPath(
  workflow: Pick<Workflow, 'steps'>,
  steps: readonly StepRunView[],
): ReadonlySet<string> {
  const started = new Map(
    steps.filter(({ attempts }) => attempts.length > 0).map((step) => [step.name, step]),
  );
  const depends = new Map(workflow.steps.map((step) => [step.name, step.depends]));
  const path = new Set<string>();
  let next = findLast([...started.values()]);
  while (next !== undefined && !path.has(next.name)) {
    path.add(next.name);
    next = findLast((depends.get(next.name) ?? []).flatMap((name) => started.get(name) ?? []));
  }
  return path;
}

/** Returns the step that ended last; among running ones, the one that started first. */
function findLast(steps: readonly StepRunView[]): StepRunView | undefined {
  return [...steps].sort(
    (left, right) =>
      endOf(right) - endOf(left) || (left.startedAt ?? '').localeCompare(right.startedAt ?? ''),
  )[0];
}
