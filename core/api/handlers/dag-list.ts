import path from 'node:path';
import { toIso } from '../../base/clock.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import type { LibraryEntry } from '../../library/workflow-library.ts';
import type { RunRecord } from '../../model/run.ts';
import { findNextStart } from '../../schedule/next-run.ts';
import type { EngineParts } from '../engine-parts.ts';
import { toRunSummary } from '../views.ts';
import { parseTextCursor, toTextCursor } from './cursor.ts';

const defaultPageSize = 50;

type ListInput = OperationInput<'dags.list'>;

/** A file with what decides its place in the list. */
interface Placed {
  readonly entry: LibraryEntry;
  /** Texts in the order of which the list is; the last one is the file's own. */
  readonly place: readonly string[];
}

/** `dags.list`: a page of the workflow files that fit, and how many there are. */
export function listDags(input: ListInput, parts: EngineParts): OperationOutput<'dags.list'> {
  const { limit = defaultPageSize, sort = 'name', order = 'asc' } = input;
  const suspended = parts.schedule.listSuspended();
  const turn = order === 'desc' ? -1 : 1;
  const entries = filterByRun(input, parts, filterByFile(input, parts.library.list()));
  const placed = entries
    .map((entry): Placed => {
      const due = sort === 'nextRun' ? nextRunOf(entry, suspended, parts) : undefined;
      // Without a schedule last, whatever the order (seed 1, Endpoints, GET /dags).
      const time = sort === 'name' ? [] : due === undefined ? ['1', ''] : ['0', toIso(due)];
      return { entry, place: [...time, nameOf(entry), fileOf(entry)] };
    })
    .toSorted((left, right) => comparePlaces(left.place, right.place, turn));
  const after = parseTextCursor(input.cursor, sort === 'name' ? 2 : 4);
  const rest =
    after === undefined ? placed : placed.filter(({ place }) => comparePlaces(place, after, turn) > 0);
  const page = rest.slice(0, limit);
  const latest = parts.store.latestRuns(page.map(({ entry }) => nameOf(entry)));
  const last = page.at(-1);
  return {
    dags: page.map(({ entry }) => summarize(entry, { latest, suspended }, parts)),
    total: placed.length,
    nextCursor: last === undefined || rest.length === page.length ? undefined : toTextCursor(last.place),
  };
}

/** The name that the workflow of a file has, so far as it has one. */
export const nameOf = ({ spec, fileName }: LibraryEntry): string => spec.workflows[0]?.name ?? fileName;

/** Two files may differ by their ending only. */
const fileOf = ({ file }: LibraryEntry): string => path.basename(file);

/** @param turn -1 turns the order of everything but whether there is a time at all */
function comparePlaces(left: readonly string[], right: readonly string[], turn: 1 | -1): number {
  const index = left.findIndex((text, at) => text !== right[at]);
  if (index < 0) return 0;
  const isGroup = left.length === 4 && index === 0;
  return (left[index]! < right[index]! ? -1 : 1) * (isGroup ? 1 : turn);
}

function filterByFile({ name, tags, group }: ListInput, entries: readonly LibraryEntry[]): LibraryEntry[] {
  const part = name?.toLowerCase();
  return entries.filter((entry) => {
    const workflow = entry.spec.workflows[0];
    const isNamed =
      part === undefined || [entry.fileName, nameOf(entry)].some((text) => text.toLowerCase().includes(part));
    const isTagged = tags === undefined || tags.every((tag) => workflow?.tags.includes(tag) === true);
    return isNamed && isTagged && (group === undefined || workflow?.group === group);
  });
}

function filterByRun(
  { status }: ListInput,
  { store }: EngineParts,
  entries: readonly LibraryEntry[],
): readonly LibraryEntry[] {
  if (status === undefined) return entries;
  const latest = store.latestRuns();
  return entries.filter((entry) => {
    const run = latest.get(nameOf(entry));
    return run !== undefined && status.includes(run.status);
  });
}

/** What lists know of all workflows. */
export interface Known {
  readonly latest: ReadonlyMap<string, RunRecord>;
  readonly suspended: ReadonlySet<string>;
}

type SummaryParts = Pick<EngineParts, 'clock' | 'queues' | 'config'>;

/** A file as lists show it. */
export function summarize(entry: LibraryEntry, known: Known, parts: SummaryParts): DagSummaryView {
  const workflow = entry.spec.workflows[0];
  const latestRun = known.latest.get(nameOf(entry));
  const nextStart = nextRunOf(entry, known.suspended, parts);
  return {
    fileName: entry.fileName,
    name: nameOf(entry),
    group: workflow?.group,
    description: workflow?.description,
    tags: workflow?.tags ?? [],
    schedule: workflow?.schedule ?? { start: [], stop: [], restart: [] },
    nextRun: nextStart === undefined ? undefined : toIso(nextStart),
    suspended: known.suspended.has(entry.fileName),
    stepCount: workflow?.steps.length ?? 0,
    valid: workflow !== undefined && entry.spec.diagnostics.every(({ severity }) => severity !== 'error'),
    latestRun: latestRun === undefined ? undefined : toRunSummary(latestRun, parts.queues),
  };
}

function nextRunOf(
  { fileName, spec }: LibraryEntry,
  suspended: ReadonlySet<string>,
  { clock, config }: Pick<EngineParts, 'clock' | 'config'>,
): number | undefined {
  const workflow = spec.workflows[0];
  if (workflow === undefined || suspended.has(fileName)) return undefined;
  return findNextStart(workflow.schedule, clock.now(), config.tz);
}
