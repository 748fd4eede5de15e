import { AppError } from '../../base/errors.ts';
import type { RunPage, RunCount, RunCursor, RunSearch, RunFilter } from '../types/runs.ts';
import { type Database, type SqlValue, placeholdersFor } from '../database/database.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { buildPageQuery, readRows } from './run-lists.ts';
import { hasNoteSql, notedKeysSql } from './run-notes.ts';

/** Most runs examined for one page, and at a time. */
const maxScanned = 3000;
const chunk = 500;
/** With more names than this, scanning all runs costs less than seeking each name. */
const maxNames = 50;

/** Of the places in a JSON list, those that match. */
const fittingSql = /* sql */ `
  SELECT run.key, dag FROM json_each(?) AS places CROSS JOIN run ON run.key = CAST(places.value AS BIGINT)`;
const createdInLevel = /* sql */ `
  SELECT key, created_at FROM run
  WHERE is_sub = ? AND created_at >= ? AND created_at <= ? AND (created_at, key) < (?, ?)`;
const taggedInLevel = /* sql */ `
  SELECT run_key AS key, created_at FROM run_tag
  WHERE is_sub = ? AND created_at >= ? AND created_at <= ? AND (created_at, run_key) < (?, ?) AND tag = ?`;
const byTime = 'ORDER BY created_at DESC, key DESC LIMIT ?';
export const createdTopSql = `${createdInLevel} ${byTime}`;
export const createdAllSql = `${createdInLevel} UNION ALL ${createdInLevel} ${byTime}`;
export const taggedTopSql = `${taggedInLevel} ${byTime}`;
export const taggedAllSql = `${taggedInLevel} UNION ALL ${taggedInLevel} ${byTime}`;
/** Counts the runs with a tag, up to a limit beyond which the count does not matter. */
export const countTaggedSql =
  'SELECT count(*) AS runs FROM (SELECT 1 FROM run_tag WHERE tag = ? LIMIT ?) AS counted';
/** One seek for each name of a JSON list. */
export const keysByIdSql = /* sql */ `
  SELECT run.key FROM json_each(?) AS places CROSS JOIN run ON run.dag = places.value AND run.run_id = ?`;

interface CreatedRow {
  readonly key: number;
  readonly created_at: number;
}

/** Returns at most `limit` places after a place, in a fixed order without duplicates. */
type Source = (after: RunCursor | undefined, limit: number) => RunCursor[];

export function searchRuns(database: Database, search: RunSearch): RunPage {
  return database.read(() => scan(database, search, chooseSource(database, search)));
}

/** Most runs examined for a count, if the index does not tell. */
const maxCounted = 10_000;
/** Most index entries read for a count, which takes a few milliseconds. */
const maxIndexed = 100_000;

/** Counts the runs that a search finds, up to a limit. */
export function countRuns(database: Database, search: Omit<RunSearch, 'limit' | 'after'>): RunCount {
  return database.read(() => countIndexed(database, search) ?? countScanned(database, search));
}

/** Counts the runs of a name, of statuses or of a time range by an index; undefined with other conditions. */
function countIndexed(
  database: Database,
  { topLevelOnly, name, statuses, createdFrom, createdBefore, ...rest }: Omit<RunSearch, 'limit' | 'after'>,
): RunCount | undefined {
  if (statuses?.length === 0) return { count: 0, isComplete: true };
  const isTimed = createdFrom !== undefined || createdBefore !== undefined;
  const others = [...Object.values(rest), ...(isTimed ? [name, statuses] : [])];
  if (others.some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0)))
    return undefined;
  const where: string[] = [`is_sub IN (${topLevelOnly ? '0' : '0, 1'})`];
  if (name !== undefined) where.push('dag = ?');
  if (statuses !== undefined) where.push(`status IN (${placeholdersFor(statuses)})`);
  if (isTimed) where.push('created_at >= ? AND created_at < ?');
  const { runs } = database.get<{ runs: number }>(
    `SELECT count(*) AS runs FROM (SELECT 1 FROM run WHERE ${where.join(' AND ')} LIMIT ?) AS counted`,
    ...(name === undefined ? [] : [name]),
    ...(statuses ?? []),
    ...(isTimed ? [createdFrom ?? Number.MIN_SAFE_INTEGER, createdBefore ?? Number.MAX_SAFE_INTEGER] : []),
    maxIndexed + 1,
  )!;
  return { count: Math.min(runs, maxIndexed), isComplete: runs <= maxIndexed };
}

function countScanned(database: Database, search: Omit<RunSearch, 'limit' | 'after'>): RunCount {
  const bounded = { ...search, limit: chunk };
  const list = chooseSource(database, bounded);
  let count = 0;
  let position: RunCursor | undefined;
  for (let scanned = 0; scanned < maxCounted; scanned += chunk) {
    const page = list(position, chunk);
    count += findFitting(database, bounded, page).size;
    if (page.length < chunk) return { count, isComplete: true };
    position = page.at(-1);
  }
  return { count, isComplete: false };
}

/** Chooses the source that examines the fewest runs; `scan` applies the remaining filters. */
function chooseSource(database: Database, search: RunSearch): Source {
  const { name, nameContains, dagRunId, createdFrom, createdBefore } = search;
  const names = nameContains === undefined ? undefined : listNames(database, nameContains);
  if (dagRunId !== undefined) return findById(database, dagRunId, name, names);
  if (search.hasNote === true) return listNoted(database);
  if (name !== undefined) return listByKey(database, search);
  const tag = findRarest(database, search.tags);
  if (tag !== undefined) return listByTime(database, search, tag);
  if (createdFrom !== undefined || createdBefore !== undefined) return listByTime(database, search);
  if (names === undefined || names.length > maxNames) return listByKey(database, search);
  return (after, limit) =>
    listMergedKeys(database, names, { ...search, before: getKey(after), limit }).map((key) => ({ key }));
}

function listNames(database: Database, nameFilter: string): string[] {
  const needed = nameFilter.toLowerCase();
  return [...listRunNames(database)].filter((name) => name.toLowerCase().includes(needed));
}

function findById(
  database: Database,
  dagRunId: string,
  name: string | undefined,
  names = name === undefined ? listNames(database, '') : [name],
): Source {
  const keys = database.all<{ key: number }>(keysByIdSql, JSON.stringify(names), dagRunId);
  const ordered = keys.map(({ key }) => key).toSorted((a, b) => b - a);
  return (after, limit) => {
    const last = getKey(after) ?? Infinity;
    return ordered
      .filter((key) => key < last)
      .slice(0, limit)
      .map((key) => ({ key }));
  };
}

function listByKey(database: Database, search: RunSearch): Source {
  return (after, limit) => {
    const query = buildPageQuery({ ...search, before: getKey(after), limit });
    return query === undefined ? [] : database.all<{ key: number }>(query.sql, ...query.values);
  };
}

const listNoted =
  (database: Database): Source =>
  (after, limit) =>
    database.all<{ key: number }>(notedKeysSql, getKey(after) ?? Number.MAX_SAFE_INTEGER, limit);

/** Returns the key of a place in a list that is ordered by keys. */
function getKey(cursor: RunCursor | undefined): number | undefined {
  if (cursor?.at !== undefined) throw otherOrder();
  return cursor?.key;
}

/** Lists places by creation time: runs of all names, or those with a tag. */
function listByTime(
  database: Database,
  { createdFrom, createdBefore, topLevelOnly }: RunSearch,
  tag?: string,
): Source {
  const from = createdFrom ?? Number.MIN_SAFE_INTEGER;
  const end = (createdBefore ?? Number.MAX_SAFE_INTEGER) - 1;
  const [topSql, allSql] = tag === undefined ? [createdTopSql, createdAllSql] : [taggedTopSql, taggedAllSql];
  return (after, limit) => {
    if (after !== undefined && after.at === undefined) throw otherOrder();
    const at = after?.at ?? Number.MAX_SAFE_INTEGER;
    const range = [
      from,
      Math.min(end, at),
      at,
      after?.key ?? Number.MAX_SAFE_INTEGER,
      ...(tag === undefined ? [] : [tag]),
    ];
    const rows = topLevelOnly
      ? database.all<CreatedRow>(topSql, 0, ...range, limit)
      : database.all<CreatedRow>(allSql, 0, ...range, 1, ...range, limit);
    return rows.map(({ key, created_at: created }) => ({ key, at: created }));
  };
}

/** Returns the rarest of the tags: only runs with that tag have to be examined. */
function findRarest(database: Database, tags: readonly string[] = []): string | undefined {
  if (tags.length < 2) return tags[0];
  const counted = tags.map((tag) => ({
    tag,
    ...database.get<{ runs: number }>(countTaggedSql, tag, maxScanned)!,
  }));
  return counted.toSorted((a, b) => a.runs - b.runs)[0]!.tag;
}

const otherOrder = (): AppError =>
  new AppError(
    'bad_request',
    'cursor: the cursor was created with different filters. Omit it for the first page.',
    {
      details: { field: 'cursor' },
    },
  );

function scan(database: Database, search: RunSearch, list: Source): RunPage {
  const cursors: RunCursor[] = [];
  let position = search.after;
  for (let scanned = 0; scanned < maxScanned;) {
    const needed = scanned === 0 ? search.limit : chunk;
    const page = list(position, needed);
    const matchingKeys = findFitting(database, search, page);
    for (const next of page) {
      position = next;
      if (!matchingKeys.has(next.key)) continue;
      cursors.push(next);
      if (cursors.length === search.limit) return { runs: readRows(database, cursors), next };
    }
    if (page.length < needed) return { runs: readRows(database, cursors) };
    scanned += page.length;
  }
  return { runs: readRows(database, cursors), ...(position && { next: position }) };
}

/** Returns the keys of the places that match a search. */
function findFitting(
  database: Database,
  search: RunSearch,
  places: readonly RunCursor[],
): ReadonlySet<number> {
  const { sql, values } = buildFitQuery(search);
  const nameFilter = search.nameContains?.toLowerCase();
  const rows = database.all<FittingRow>(sql, JSON.stringify(places.map(({ key }) => key)), ...values);
  return new Set(
    rows
      .filter(({ dag }) => nameFilter === undefined || dag.toLowerCase().includes(nameFilter))
      .map(({ key }) => key),
  );
}

interface FittingRow {
  readonly key: number;
  readonly dag: string;
}

const hasTag = 'EXISTS (SELECT 1 FROM run_tag WHERE run_tag.run_key = run.key AND run_tag.tag = ?)';

/**
 * Builds the query for the runs of a JSON list that match, except for the part of a name: SQLite ignores the case of
 * ASCII letters only.
 */
export function buildFitQuery(search: RunSearch): { readonly sql: string; readonly values: SqlValue[] } {
  const { name, statuses, topLevelOnly, createdFrom, createdBefore } = search;
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const addCondition = (condition: string, ...needed: readonly SqlValue[]): void => {
    conditions.push(condition);
    values.push(...needed);
  };
  if (topLevelOnly) addCondition('is_sub = 0');
  if (name !== undefined) addCondition('dag = ?', name);
  if (statuses !== undefined) addCondition(`status IN (${placeholdersFor(statuses)})`, ...statuses);
  if (createdFrom !== undefined) addCondition('run.created_at >= ?', createdFrom);
  if (createdBefore !== undefined) addCondition('run.created_at < ?', createdBefore);
  for (const tag of search.tags ?? []) addCondition(hasTag, tag);
  requestTimeline(search, addCondition);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return { sql: fittingSql + where, values };
}

/** Adds the conditions that no index supports. */
function requestTimeline(
  { triggers, startedBy, queue, text, hasNote, duration }: RunSearch,
  addCondition: (condition: string, ...needed: readonly SqlValue[]) => void,
): void {
  if (triggers !== undefined) addCondition(`trigger IN (${placeholdersFor(triggers)})`, ...triggers);
  if (startedBy !== undefined) addCondition('instr(lower(started_by), lower(?)) > 0', startedBy);
  if (queue !== undefined) addCondition('queue = ?', queue);
  if (text !== undefined) addCondition(`instr(${searchedText}, lower(?)) > 0`, text);
  if (hasNote !== undefined) addCondition(hasNote ? hasNoteSql : `NOT ${hasNoteSql}`);
  if (duration === undefined) return;
  const { min, max, now } = duration;
  const durationSql = '(coalesce(finished_at, ?) - started_at)';
  if (min !== undefined) addCondition(`${durationSql} >= ?`, now, min);
  if (max !== undefined) addCondition(`${durationSql} <= ?`, now, max);
}

const searchedText = /* sql */ `lower(dag || ' ' || run_id || ' ' || params || ' ' || coalesce(error, '') || ' '
  || coalesce((SELECT run_note.text FROM run_note WHERE run_key = run.key), ''))`;

/** One seek for each name. */
export const runNamesSql = /* sql */ `
  WITH RECURSIVE names (dag) AS (
    SELECT min(dag) FROM run
    UNION ALL
    SELECT (SELECT min(dag) FROM run WHERE dag > names.dag) FROM names WHERE names.dag IS NOT NULL
  )
  SELECT dag FROM names WHERE dag IS NOT NULL`;
export const lastKeySql = 'SELECT max(key) AS key FROM run';
export const namesAfterSql = 'SELECT dag FROM run WHERE key > ?';

/** With more new runs than this, seeking each name again costs less. */
const maxNew = 1000;

interface NameCache {
  readonly names: ReadonlySet<string>;
  /** The newest run whose name is included; keys only increase. */
  readonly last: number;
}

const known = new WeakMap<Database, NameCache>();

/** Returns the names of all runs, including some that no run has any more. */
function listRunNames(database: Database): ReadonlySet<string> {
  // An operation on a server is repeated, so it cannot depend on what others have cached meanwhile.
  if (!(database instanceof SqliteDatabase))
    return new Set(database.all<{ dag: string }>(runNamesSql).map(({ dag }) => dag));
  const before = known.get(database);
  const last = database.get<{ key: number | null }>(lastKeySql)?.key ?? 0;
  if (before !== undefined && last <= before.last) return before.names;
  const isNear = before !== undefined && last - before.last <= maxNew;
  const rows = isNear
    ? database.all<{ dag: string }>(namesAfterSql, before.last)
    : database.all<{ dag: string }>(runNamesSql);
  const names = new Set(isNear ? before.names : []);
  for (const { dag } of rows) names.add(dag);
  known.set(database, { names, last });
  return names;
}

/** Keys read per name at a time. */
const batch = 5;

/** The newest runs of one name that have not been merged yet. */
interface Head {
  readonly name: string;
  readonly keys: number[];
  /** No keys follow `keys`. */
  isLast: boolean;
}

/**
 * Lists the keys of the runs of several names, newest first: one search for each name, then one for every few runs,
 * however long the history is.
 */
function listMergedKeys(database: Database, names: readonly string[], filter: RunFilter): number[] {
  const read = (name: string, before: number | undefined): number[] => {
    const query = buildPageQuery({ ...filter, name, before, limit: batch });
    return query === undefined
      ? []
      : database.all<{ key: number }>(query.sql, ...query.values).map(({ key }) => key);
  };
  const heads = names.map((name): Head => {
    const keys = read(name, filter.before);
    return { name, keys, isLast: keys.length < batch };
  });
  const merged: number[] = [];
  while (merged.length < filter.limit) {
    const head = findNewest(heads);
    if (head === undefined) break;
    const key = head.keys.shift()!;
    merged.push(key);
    if (head.keys.length > 0 || head.isLast) continue;
    head.keys.push(...read(head.name, key));
    head.isLast = head.keys.length < batch;
  }
  return merged;
}

/** Returns the newest head; there are never more than a few dozen. */
function findNewest(heads: readonly Head[]): Head | undefined {
  let newest: Head | undefined;
  for (const head of heads) {
    const [key] = head.keys;
    if (key !== undefined && (newest === undefined || key > newest.keys[0]!)) newest = head;
  }
  return newest;
}
