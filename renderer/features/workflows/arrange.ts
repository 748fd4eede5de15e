import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import type { RunStatus } from '../../../core/model/run/status.ts';

/** By what the list of workflows is divided into sections. */
export const arrangements = ['none', 'group', 'tag'] as const;
export type Arrangement = (typeof arrangements)[number];

/** Workflows that belong together. */
export interface WorkflowSet<Row> {
  /** Tells it from every set of every arrangement. */
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
}

const leftOver: Readonly<Record<Arrangement, string>> = {
  none: '',
  group: 'No group',
  tag: 'No tag',
};

/** The sets by name, each in the order of the rows; those that belong nowhere come last. One may bear several tags. */
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
  return others.length === 0 ? sets : [...sets, { id: by, name: leftOver[by], rows: others }];
}

/** What is looked at first comes first. */
const byUrgency: readonly RunStatus[] = [
  'failed',
  'aborted',
  'partially_succeeded',
  'running',
  'queued',
  'not_started',
  'succeeded',
];

/** How the newest runs of some workflows stand, the worst first. */
export function countLatest(
  rows: readonly { readonly dag: DagSummaryView }[],
): readonly { readonly status: RunStatus; readonly count: number }[] {
  return byUrgency
    .map((status) => ({ status, count: rows.filter(({ dag }) => dag.latestRun?.status === status).length }))
    .filter(({ count }) => count > 0);
}
