import { create } from 'zustand';
import { useMemo } from 'react';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { RunStatus } from '../../../core/model/run.ts';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import { listParents } from '../organize/use-organize.ts';
import { useRecentRuns } from '../../api/run-queries.ts';
import { useRecentStatuses } from '../../api/statistics-queries.ts';
import { useStableRows } from '../../ui/list/row-state.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** How the list of workflows is grouped into sections. */
export const groupings = ['none', 'folder', 'group', 'tag'] as const;
export type Grouping = (typeof groupings)[number];

/** A section of workflows. */
export interface WorkflowSet<Row> {
  /** Unique across all groupings. */
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
  /** For folders. */
  readonly depth?: number;
  readonly all?: readonly Row[];
}

const ungroupedLabels: Readonly<Record<Grouping, string>> = {
  none: '',
  folder: 'No folder',
  group: 'No group',
  tag: 'No tag',
};

/**
 * Groups rows into sections by name, each in row order; rows without a group or tag are last. A workflow can be
 * in several tag sections.
 */
export function groupRows<Row extends { readonly dag: DagSummaryView }>(
  rows: readonly Row[],
  by: Exclude<Grouping, 'none'>,
): readonly WorkflowSet<Row>[] {
  if (by === 'folder') return groupByFolder(rows);
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
    .toSorted(([one], [other]) => collator.compare(one, other))
    .map(([name, of]) => ({ id: `${by}:${name}`, name, rows: of }));
  return others.length === 0 ? sets : [...sets, { id: by, name: ungroupedLabels[by], rows: others }];
}

/** Groups rows into a tree of folders, depth first; rows without a folder are last. */
function groupByFolder<Row extends { readonly dag: DagSummaryView }>(
  rows: readonly Row[],
): readonly WorkflowSet<Row>[] {
  const byFolder = Map.groupBy(rows, ({ dag }) => dag.folder ?? '');
  const folders = [...new Set([...byFolder.keys()].flatMap(listParents))]
    .map((folder) => folder.split('/'))
    .toSorted(comparePaths);
  const sets = folders.map((parts): WorkflowSet<Row> => {
    const folder = parts.join('/');
    return {
      id: folderSection(folder),
      name: parts.at(-1)!,
      depth: parts.length - 1,
      rows: byFolder.get(folder) ?? [],
      all: rows.filter(({ dag }) => `${dag.folder ?? ''}/`.startsWith(`${folder}/`)),
    };
  });
  const others = byFolder.get('') ?? [];
  return others.length === 0 ? sets : [...sets, { id: 'folder', name: ungroupedLabels.folder, rows: others }];
}

const folderSection = (folder: string): string => `folder:${folder}`;

/** Compares by name on each level, so that a folder comes right before those in it. */
function comparePaths(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return a.length - b.length;
  return b[at] === undefined ? 1 : collator.compare(a[at]!, b[at]);
}

/** Whether a section is in a collapsed folder. */
export const isInFolded = (id: string, folded: readonly string[]): boolean =>
  folded.some((other) => other.startsWith(folderSection('')) && id.startsWith(`${other}/`));

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

const storageKey = 'stepwright.workflows';

interface GroupingState {
  /** Undefined until the user chooses: by folder if there are folders. */
  readonly by: Grouping | undefined;
  /** Ids of collapsed sections. */
  readonly folded: readonly string[];
}

/** Layout of the list of workflows, stored in this browser. */
export const useGrouping = create<GroupingState>(() => readStored());

/** Reads the stored layout; invalid values are ignored. */
function readStored(): GroupingState {
  try {
    const { by, folded } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<GroupingState>;
    return {
      by: groupings.find((one) => one === by),
      folded: Array.isArray(folded) ? folded.filter((id) => typeof id === 'string') : [],
    };
  } catch {
    return { by: undefined, folded: [] };
  }
}

function change(changes: Partial<GroupingState>): void {
  useGrouping.setState(changes);
  localStorage.setItem(storageKey, JSON.stringify(useGrouping.getState()));
}

export const setGrouping = (by: Grouping): void => change({ by });

/** Collapses or expands sections. */
export function setFolded(ids: readonly string[], isFolded: boolean): void {
  const others = useGrouping.getState().folded.filter((id) => !ids.includes(id));
  change({ folded: isFolded ? [...others, ...ids] : others });
}

const shownRuns = 10;

type WorkflowStatuses = OperationOutput<'runs.recent'>['workflows'][number];

/**
 * Returns the statuses of each workflow's newest runs, oldest first.
 * @param loaded the newest runs of each workflow, newest first
 * @param live the newest runs of all workflows, newest first and up to date
 */
export function collectRecent(
  loaded: readonly WorkflowStatuses[],
  live: readonly RunSummaryView[],
): ReadonlyMap<string, readonly RunStatus[]> {
  const liveByName = Map.groupBy(live, ({ name }) => name);
  const loadedByName = new Map(loaded.map(({ name, runs }) => [name, runs]));
  return new Map(
    [...new Set([...liveByName.keys(), ...loadedByName.keys()])].map((name) => {
      const runs = loadedByName.get(name) ?? [];
      const known = new Map((liveByName.get(name) ?? []).map(({ dagRunId, status }) => [dagRunId, status]));
      const loadedIds = new Set(runs.map(({ dagRunId }) => dagRunId));
      const all = [...known.keys()];
      const firstLoaded = all.findIndex((id) => loadedIds.has(id));
      const newer = firstLoaded === -1 ? all : all.slice(0, firstLoaded);
      const statuses = [
        ...newer.map((id) => known.get(id)!),
        ...runs.map(({ dagRunId, status }) => known.get(dagRunId) ?? status),
      ];
      return [name, statuses.slice(0, shownRuns).toReversed()];
    }),
  );
}

export type SortField = 'name' | 'nextRun' | 'latestRun';

/** Sort order of the list. */
export interface SortOrder {
  readonly field: SortField;
  readonly isDescending: boolean;
}

const getValue = (dag: DagSummaryView, field: SortField): string | undefined =>
  field === 'name' ? dag.name : field === 'nextRun' ? dag.nextRun : dag.latestRun?.createdAt;

/** Sorts workflows; those without the sort value are last in both directions. */
function sortWorkflows(
  dags: readonly DagSummaryView[],
  { field, isDescending }: SortOrder,
): DagSummaryView[] {
  const turn = isDescending ? -1 : 1;
  return dags.toSorted((a, b) => {
    const [first, second] = [getValue(a, field), getValue(b, field)];
    if (first === undefined || second === undefined)
      return first === second ? collator.compare(a.name, b.name) : first === undefined ? 1 : -1;
    return turn * collator.compare(first, second) || collator.compare(a.name, b.name);
  });
}

/** A workflow with the other contents of its row. */
export interface WorkflowRow {
  readonly dag: DagSummaryView;
  /** Statuses of its newest runs, oldest first. */
  readonly recent: readonly RunStatus[];
  /** A run of it is being started. */
  readonly isStarting: boolean;
}

const noRuns: readonly RunStatus[] = [];

export const getWorkflowKey = ({ dag }: WorkflowRow): string => dag.fileName;

/** Returns the sorted rows; unchanged rows keep their object identity. */
export function useWorkflowRows(
  dags: readonly DagSummaryView[],
  { field, isDescending }: SortOrder,
  starting: string | undefined,
): readonly WorkflowRow[] {
  const runs = useRecentRuns().data;
  const names = useMemo(() => dags.map(({ name }) => name), [dags]);
  const statuses = useRecentStatuses(names).data;
  const recent = useMemo(() => collectRecent(statuses ?? [], runs ?? []), [statuses, runs]);
  const sorted = useMemo(() => sortWorkflows(dags, { field, isDescending }), [dags, field, isDescending]);
  const rows = useMemo(
    () =>
      sorted.map((dag) => ({
        dag,
        recent: recent.get(dag.name) ?? noRuns,
        isStarting: starting === dag.fileName,
      })),
    [sorted, recent, starting],
  );
  return useStableRows(rows, getWorkflowKey);
}
