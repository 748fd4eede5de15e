import path from 'node:path';
import { toIso } from '../../../base/clock.ts';
import type { DagSummaryView } from '../../../contract/workflows/dags.ts';
import type { OperationInput, OperationOutput } from '../../../contract/operations.ts';
import type { LibraryEntry } from '../../../library/workflow-library.ts';
import type { RunRecord } from '../../../model/run/run.ts';
import type { Schedule } from '../../../model/workflow/workflow.ts';
import { findNextStart } from '../../../schedule/next-run.ts';
import type { EngineContext } from '../../engine-context.ts';
import { toRunSummary } from '../../views.ts';
import { parseTextCursor, toTextCursor } from '../cursor.ts';

const defaultPageSize = 50;

type ListInput = OperationInput<'dags.list'>;

/** A file with its sort key. */
interface Placed {
  readonly entry: LibraryEntry;
  /** Sort key of the file; the last element is the name of the file. */
  readonly place: readonly string[];
}

/** Implements `dags.list`: a page of the matching workflow files, and their total number. */
export function listDags(input: ListInput, context: EngineContext): OperationOutput<'dags.list'> {
  const { library, store, lists, clock } = context;
  const entries = library.list();
  const sources = [entries, store.commitRevision()];
  return lists.answer(`dags.list ${JSON.stringify(input)}`, sources, clock.now(), () => {
    const list = makePage(input, entries, context);
    return { list, until: findEnd(list, entries, input, context) };
  });
}

function makePage(
  input: ListInput,
  entries: readonly LibraryEntry[],
  context: EngineContext,
): OperationOutput<'dags.list'> {
  const { limit = defaultPageSize, sort = 'name', order = 'asc' } = input;
  const suspended = context.schedule.listSuspended();
  const turn = order === 'desc' ? -1 : 1;
  const fits = chooseFilter(input, context);
  const placed =
    sort === 'name'
      ? placeByName(entries, turn).filter(({ entry }) => fits(entry))
      : placeByNextRun(entries.filter(fits), { suspended, turn }, context);
  const after = parseTextCursor(input.cursor, sort === 'name' ? 2 : 4);
  const rest =
    after === undefined ? placed : placed.filter(({ place }) => compareSortKeys(place, after, turn) > 0);
  const page = rest.slice(0, limit);
  const latest = context.store.latestRuns(page.map(({ entry }) => nameOf(entry)));
  const last = page.at(-1);
  return {
    dags: page.map(({ entry }) => summarize(entry, { latest, suspended }, context)),
    total: placed.length,
    nextCursor: last === undefined || rest.length === page.length ? undefined : toTextCursor(last.place),
  };
}

/**
 * Returns until when the page is valid: the next start of a workflow on the page, or of any workflow if the list is
 * sorted by next start.
 */
function findEnd(
  { dags }: OperationOutput<'dags.list'>,
  entries: readonly LibraryEntry[],
  { sort }: ListInput,
  context: EngineContext,
): number | undefined {
  // The reason why a run waits depends on more than the stored data.
  if (dags.some(({ latestRun }) => latestRun?.status === 'queued')) return undefined;
  const times =
    sort === 'nextRun'
      ? entries.map((entry) => nextRunOf(entry, none, context) ?? Infinity)
      : dags.map(({ nextRun }) => (nextRun === undefined ? Infinity : Date.parse(nextRun)));
  return times.reduce((first, time) => Math.min(first, time), Infinity);
}

const none: ReadonlySet<string> = new Set();

/** Sort keys by list of the library, which is a new object whenever a file has changed. */
const placesByName = new WeakMap<readonly LibraryEntry[], readonly Placed[]>();

function placeByName(entries: readonly LibraryEntry[], turn: 1 | -1): readonly Placed[] {
  let placed = placesByName.get(entries);
  if (placed === undefined) {
    placed = entries
      .map((entry) => ({ entry, place: [nameOf(entry), fileOf(entry)] }))
      .toSorted((left, right) => compareSortKeys(left.place, right.place, 1));
    placesByName.set(entries, placed);
  }
  return turn === 1 ? placed : placed.toReversed();
}

/** Workflows without a schedule come last in either direction. */
function placeByNextRun(
  entries: readonly LibraryEntry[],
  { suspended, turn }: { readonly suspended: ReadonlySet<string>; readonly turn: 1 | -1 },
  context: EngineContext,
): readonly Placed[] {
  return entries
    .map((entry): Placed => {
      const due = nextRunOf(entry, suspended, context);
      const time = due === undefined ? ['1', ''] : ['0', toIso(due)];
      return { entry, place: [...time, nameOf(entry), fileOf(entry)] };
    })
    .toSorted((left, right) => compareSortKeys(left.place, right.place, turn));
}

/** Returns the name of the workflow in a file, if it has one. */
export const nameOf = ({ spec, fileName }: LibraryEntry): string => spec.workflows[0]?.name ?? fileName;

/** Two files may differ only in their extensions. */
const fileOf = ({ file }: LibraryEntry): string => path.basename(file);

/** @param direction -1 reverses the order, but keeps entries without a time last */
function compareSortKeys(left: readonly string[], right: readonly string[], turn: 1 | -1): number {
  const index = left.findIndex((text, at) => text !== right[at]);
  if (index < 0) return 0;
  const isGroup = left.length === 4 && index === 0;
  return (left[index]! < right[index]! ? -1 : 1) * (isGroup ? 1 : turn);
}

function chooseFilter(
  { name, tags, group, status }: ListInput,
  { store }: EngineContext,
): (entry: LibraryEntry) => boolean {
  const part = name?.toLowerCase();
  const latest = status === undefined ? undefined : store.latestRuns();
  return (entry) => {
    const workflow = entry.spec.workflows[0];
    const isNamed =
      part === undefined || [entry.fileName, nameOf(entry)].some((text) => text.toLowerCase().includes(part));
    const isTagged = tags === undefined || tags.every((tag) => workflow?.tags.includes(tag) === true);
    const isGrouped = group === undefined || workflow?.group === group;
    const run = latest?.get(nameOf(entry));
    const hasStatus = status === undefined || (run !== undefined && status.includes(run.status));
    return isNamed && isTagged && isGrouped && hasStatus;
  };
}

/** Data about all workflows for a list. */
export interface WorkflowIndex {
  readonly latest: ReadonlyMap<string, RunRecord>;
  readonly suspended: ReadonlySet<string>;
}

type SummaryDeps = Pick<EngineContext, 'clock' | 'queues' | 'config'>;

/** Converts a file to its list view. */
export function summarize(entry: LibraryEntry, known: WorkflowIndex, deps: SummaryDeps): DagSummaryView {
  const workflow = entry.spec.workflows[0];
  const latestRun = known.latest.get(nameOf(entry));
  const nextStart = nextRunOf(entry, known.suspended, deps);
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
    problem: findProblem(entry),
    latestRun: latestRun === undefined ? undefined : toRunSummary(latestRun, deps.queues),
  };
}

function findProblem({ spec, file }: LibraryEntry): DagSummaryView['problem'] {
  const [first, ...others] = spec.diagnostics.filter(({ severity }) => severity === 'error');
  if (!first) return undefined;
  const base = first.file === file ? {} : { base: first.file };
  return { message: first.message, line: first.line, ...base, more: others.length };
}

function nextRunOf(
  entry: LibraryEntry,
  suspended: ReadonlySet<string>,
  { clock, config }: Pick<EngineContext, 'clock' | 'config'>,
): number | undefined {
  const workflow = entry.spec.workflows[0];
  if (workflow === undefined || suspended.has(entry.fileName)) return undefined;
  return findNextOnce(entry, workflow.schedule, clock.now(), config.tz);
}

/** Next starts by file, valid until they are due. */
const nextStarts = new WeakMap<LibraryEntry, { readonly from: number; readonly at: number | undefined }>();

function findNextOnce(
  entry: LibraryEntry,
  schedule: Schedule,
  now: number,
  zone: string | undefined,
): number | undefined {
  const known = nextStarts.get(entry);
  if (known !== undefined && known.from <= now && now < (known.at ?? Infinity)) return known.at;
  const at = findNextStart(schedule, now, zone);
  nextStarts.set(entry, { from: now, at });
  return at;
}
