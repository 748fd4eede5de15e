import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import type { RunStatus } from '../../../core/model/run/status.ts';

/** How the list of workflows is grouped into sections. */
export const arrangements = ['none', 'group', 'tag'] as const;
export type Arrangement = (typeof arrangements)[number];

/** A section of workflows. */
export interface WorkflowSet<Row> {
  /** Unique across all groupings. */
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
}

const ungroupedLabels: Readonly<Record<Arrangement, string>> = {
  none: '',
  group: 'No group',
  tag: 'No tag',
};

/**
 * Groups rows into sections by name, each in row order; rows without a group or tag are last. A workflow can be
 * in several tag sections.
 */
export function arrange<Row extends { readonly dag: DagSummaryView }>(
  rows: readonly Row[],
  by: Exclude<Arrangement, 'none'>,
): readonly WorkflowSet<Row>[] {
  const named = new Map<string, Row[]>();
  const others: Row[] = [];
  for (const row of rows) {
    const names = by === 'tag' ? row.dag.tags : row.dag.group === undefined ? [] : [row.dag.group];
    if (names.length === 0) others.push(row);
    for (const name of names) {
      const set = named.get(name);
      if (set) set.push(row);
      else named.set(name, [row]);
    }
  }
  const sets = [...named]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([name, of]) => ({ id: `${by}:${name}`, name, rows: of }));
  return others.length === 0 ? sets : [...sets, { id: by, name: ungroupedLabels[by], rows: others }];
}

/** Most important status first. */
const compareByUrgency: readonly RunStatus[] = [
  'failed',
  'aborted',
  'partially_succeeded',
  'running',
  'queued',
  'not_started',
  'succeeded',
];

/** Counts the statuses of the newest runs of workflows, worst first. */
export function countLatest(
  rows: readonly { readonly dag: DagSummaryView }[],
): readonly { readonly status: RunStatus; readonly count: number }[] {
  return compareByUrgency
    .map((status) => ({ status, count: rows.filter(({ dag }) => dag.latestRun?.status === status).length }))
    .filter(({ count }) => count > 0);
}
