import path from 'node:path';
import { toIso } from '../../base/clock.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import type { SpecFile } from '../../home/library/read-spec.ts';
import { hashText } from '../../home/library/spec-versions.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import type { RunRecord } from '../../model/run.ts';
import type { Schedule } from '../../model/workflow.ts';
import { findNextStart } from '../../spec/schedule/next-run.ts';
import type { EngineContext } from '../engine-context.ts';
import type { StoredMiss } from '../../store/types/expectations.ts';
import { toMissedView, toRunSummary } from '../views.ts';
import { parseTextCursor, toTextCursor } from './handlers.ts';

const defaultPageSize = 50;

type ListInput = OperationInput<'dags.list'>;

/** A file with its sort key. */
interface SortedEntry {
  readonly entry: LibraryEntry;
  /** Sort key of the file; the last element is the name of the file. */
  readonly sortKey: readonly string[];
}

/** Implements `dags.list`: a page of the matching workflow files, and their total number. */
export function listDags(input: ListInput, context: EngineContext): Promise<OperationOutput<'dags.list'>> {
  const { library, store, lists, clock } = context;
  const entries = library.list();
  const sources = [entries, store.commitRevision()];
  return lists.answer(`dags.list ${JSON.stringify(input)}`, sources, clock.now(), async () => {
    const list = await listPage(input, entries, context);
    return { list, until: findExpiry(list, entries, input, context) };
  });
}

async function listPage(
  input: ListInput,
  entries: readonly LibraryEntry[],
  context: EngineContext,
): Promise<OperationOutput<'dags.list'>> {
  const { limit = defaultPageSize, sort = 'name', order = 'asc' } = input;
  const suspended = await context.schedule.listSuspended();
  const direction = order === 'desc' ? -1 : 1;
  const fits = await chooseFilter(input, context);
  const sorted =
    sort === 'name'
      ? sortByName(entries, direction).filter(({ entry }) => fits(entry))
      : sortByNextRun(entries.filter(fits), { suspended, direction }, context);
  const after = parseTextCursor(input.cursor, sort === 'name' ? 2 : 4);
  const remaining =
    after === undefined
      ? sorted
      : sorted.filter(({ sortKey }) => compareSortKeys(sortKey, after, direction) > 0);
  const page = remaining.slice(0, limit);
  const latest = await context.store.latestRuns(page.map(({ entry }) => getName(entry)));
  const last = page.at(-1);
  const missed = Map.groupBy(await context.expectations.listOpen(), ({ dag }) => dag);
  return {
    dags: await Promise.all(
      page.map(({ entry }) => toDagSummary(entry, { latest, suspended, missed }, context)),
    ),
    total: sorted.length,
    nextCursor:
      last === undefined || remaining.length === page.length ? undefined : toTextCursor(last.sortKey),
  };
}

/**
 * Returns until when the page is valid: the next start of a workflow on the page, or of any workflow if the list is
 * sorted by next start.
 */
function findExpiry(
  { dags }: OperationOutput<'dags.list'>,
  entries: readonly LibraryEntry[],
  { sort }: ListInput,
  context: EngineContext,
): number | undefined {
  // The reason why a run waits depends on more than the stored data.
  if (dags.some(({ latestRun }) => latestRun?.status === 'queued')) return undefined;
  const times =
    sort === 'nextRun'
      ? entries.map((entry) => getNextRun(entry, none, context) ?? Infinity)
      : dags.map(({ nextRun }) => (nextRun === undefined ? Infinity : Date.parse(nextRun)));
  return times.reduce((first, time) => Math.min(first, time), Infinity);
}

const none: ReadonlySet<string> = new Set();

/** Sort keys by list of the library, which is a new object whenever a file has changed. */
const entriesByName = new WeakMap<readonly LibraryEntry[], readonly SortedEntry[]>();

function sortByName(entries: readonly LibraryEntry[], direction: 1 | -1): readonly SortedEntry[] {
  let sorted = entriesByName.get(entries);
  if (sorted === undefined) {
    sorted = entries
      .map((entry) => ({ entry, sortKey: [getName(entry), getFileName(entry)] }))
      .toSorted((a, b) => compareSortKeys(a.sortKey, b.sortKey, 1));
    entriesByName.set(entries, sorted);
  }
  return direction === 1 ? sorted : sorted.toReversed();
}

/** Workflows without a schedule come last in either direction. */
function sortByNextRun(
  entries: readonly LibraryEntry[],
  { suspended, direction }: { readonly suspended: ReadonlySet<string>; readonly direction: 1 | -1 },
  context: EngineContext,
): readonly SortedEntry[] {
  return entries
    .map((entry): SortedEntry => {
      const due = getNextRun(entry, suspended, context);
      const time = due === undefined ? ['1', ''] : ['0', toIso(due)];
      return { entry, sortKey: [...time, getName(entry), getFileName(entry)] };
    })
    .toSorted((a, b) => compareSortKeys(a.sortKey, b.sortKey, direction));
}

/** Returns the name of the workflow in a file, if it has one. */
export const getName = ({ spec, fileName }: LibraryEntry): string => spec.workflows[0]?.name ?? fileName;

/** Two files may differ only in their extensions. */
const getFileName = ({ file }: LibraryEntry): string => path.basename(file);

/** @param direction -1 reverses the order, but keeps entries without a time last */
function compareSortKeys(a: readonly string[], b: readonly string[], direction: 1 | -1): number {
  const index = a.findIndex((text, at) => text !== b[at]);
  if (index < 0) return 0;
  const isGroup = a.length === 4 && index === 0;
  return (a[index]! < b[index]! ? -1 : 1) * (isGroup ? 1 : direction);
}

async function chooseFilter(
  { name, tags, group, status }: ListInput,
  { store }: EngineContext,
): Promise<(entry: LibraryEntry) => boolean> {
  const part = name?.toLowerCase();
  const latest = status === undefined ? undefined : await store.latestRuns();
  return (entry) => {
    const workflow = entry.spec.workflows[0];
    const isNamed =
      part === undefined ||
      [entry.fileName, getName(entry)].some((text) => text.toLowerCase().includes(part));
    const isTagged = tags === undefined || tags.every((tag) => workflow?.tags.includes(tag) === true);
    const isGrouped = group === undefined || workflow?.group === group;
    const run = latest?.get(getName(entry));
    const hasStatus = status === undefined || (run !== undefined && status.includes(run.status));
    return isNamed && isTagged && isGrouped && hasStatus;
  };
}

/** Data about all workflows for a list. */
export interface WorkflowIndex {
  readonly latest: ReadonlyMap<string, RunRecord>;
  readonly suspended: ReadonlySet<string>;
  /** What is missed now, by file name. */
  readonly missed: ReadonlyMap<string, readonly StoredMiss[]>;
}

type SummaryContext = Pick<EngineContext, 'clock' | 'queues' | 'config' | 'library'>;

/** Hashes of texts by file, computed once. */
const hashes = new WeakMap<SpecFile, string>();

function getHash({ spec }: LibraryEntry): string {
  const hash = hashes.get(spec) ?? hashText(spec.text);
  hashes.set(spec, hash);
  return hash;
}

/** Converts a file to its list view. */
export async function toDagSummary(
  entry: LibraryEntry,
  known: WorkflowIndex,
  context: SummaryContext,
): Promise<DagSummaryView> {
  const workflow = entry.spec.workflows[0];
  const latestRun = known.latest.get(getName(entry));
  const nextStart = getNextRun(entry, known.suspended, context);
  const ignoredFiles = context.library.listIgnored(entry.fileName);
  return {
    fileName: entry.fileName,
    name: getName(entry),
    folder: context.library.getFolder(entry) || undefined,
    hash: entry.spec.text === '' ? undefined : getHash(entry),
    ignoredFiles: ignoredFiles.length > 0 ? ignoredFiles : undefined,
    group: workflow?.group,
    description: workflow?.description,
    tags: workflow?.tags ?? [],
    schedule: workflow?.schedule ?? { start: [], stop: [], restart: [] },
    nextRun: nextStart === undefined ? undefined : toIso(nextStart),
    suspended: known.suspended.has(entry.fileName),
    stepCount: workflow?.steps.length ?? 0,
    valid: workflow !== undefined && entry.spec.diagnostics.every(({ severity }) => severity !== 'error'),
    problem: findProblem(entry),
    missed: known.missed.get(entry.fileName)?.map(toMissedView),
    latestRun: latestRun === undefined ? undefined : await toRunSummary(latestRun, context.queues),
  };
}

function findProblem({ spec, file }: LibraryEntry): DagSummaryView['problem'] {
  const [first, ...others] = spec.diagnostics.filter(({ severity }) => severity === 'error');
  if (!first) return undefined;
  const base = first.file === file ? {} : { base: first.file };
  return { message: first.message, line: first.line, ...base, more: others.length };
}

function getNextRun(
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
