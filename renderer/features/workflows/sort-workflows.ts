import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';

export type SortField = 'name' | 'nextRun' | 'latestRun';

/** Sort order of the list. */
export interface SortOrder {
  readonly field: SortField;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true });

const valueOf = (dag: DagSummaryView, field: SortField): string | undefined =>
  field === 'name' ? dag.name : field === 'nextRun' ? dag.nextRun : dag.latestRun?.createdAt;

/** Sorts workflows; those without the sort value are last in both directions. */
export function sortWorkflows(
  dags: readonly DagSummaryView[],
  { field, isDescending }: SortOrder,
): DagSummaryView[] {
  const turn = isDescending ? -1 : 1;
  return dags.toSorted((left, right) => {
    const [first, second] = [valueOf(left, field), valueOf(right, field)];
    if (first === undefined || second === undefined)
      return first === second ? collator.compare(left.name, right.name) : first === undefined ? 1 : -1;
    return turn * collator.compare(first, second) || collator.compare(left.name, right.name);
  });
}
