import { AppError } from '../../base/errors.ts';
import type { RunStatus } from '../../model/status.ts';
import type { RunPage, RunPlace, RunSearch } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { listMergedKeys } from './merge-names.ts';
import { buildPageQuery, readRows } from './run-lists.ts';

/** Runs looked at for one page, and at a time. */
const mostLooks = 3000;
const chunk = 500;
/** With more names than these, looking at every run costs less than asking for each name. */
const mostNames = 50;

export const candidateSql = 'SELECT key, dag, status, created_at, is_sub FROM run WHERE key = ?';
const createdInLevel = /* sql */ `
  SELECT key, created_at FROM run
  WHERE is_sub = ? AND created_at >= ? AND created_at <= ? AND (created_at, key) < (?, ?)`;
const byTime = 'ORDER BY created_at DESC, key DESC LIMIT ?';
export const createdTopSql = `${createdInLevel} ${byTime}`;
export const createdAllSql = `${createdInLevel} UNION ALL ${createdInLevel} ${byTime}`;
/** One seek for each name. */
export const runNamesSql = /* sql */ `
  WITH RECURSIVE names (dag) AS (
    SELECT min(dag) FROM run
    UNION ALL
    SELECT (SELECT min(dag) FROM run WHERE dag > names.dag) FROM names WHERE names.dag IS NOT NULL
  )
  SELECT dag FROM names WHERE dag IS NOT NULL`;
export const keyOfIdSql = 'SELECT key FROM run WHERE dag = ? AND run_id = ?';

interface CreatedRow {
  readonly key: number;
  readonly created_at: number;
}

interface Candidate extends CreatedRow {
  readonly dag: string;
  readonly status: RunStatus;
  readonly is_sub: 0 | 1;
}

/** Places in an order in which each comes once; what comes after a place, at most so many. */
type Source = (after: RunPlace | undefined, limit: number) => RunPlace[];

/** `RunStore.searchRuns`. */
export function searchRuns(database: Database, search: RunSearch): RunPage {
  return database.read(() => scan(database, search, chooseSource(database, search)));
}

/** The way that looks at the fewest runs; what it does not see to, `scan` does. */
function chooseSource(database: Database, search: RunSearch): Source {
  const { name, nameContains, dagRunId, createdFrom, createdBefore } = search;
  const names = nameContains === undefined ? undefined : listNames(database, nameContains);
  if (dagRunId !== undefined) return findById(database, dagRunId, name, names);
  if (name !== undefined) return listByKey(database, search);
  if (createdFrom !== undefined || createdBefore !== undefined) return listByTime(database, search);
  if (names === undefined || names.length > mostNames) return listByKey(database, search);
  return (after, limit) =>
    listMergedKeys(database, names, { ...search, before: keyOf(after), limit }).map((key) => ({ key }));
}

function listNames(database: Database, part: string): string[] {
  const wanted = part.toLowerCase();
  const names = database.all<{ dag: string }>(runNamesSql).map(({ dag }) => dag);
  return names.filter((name) => name.toLowerCase().includes(wanted));
}

function findById(
  database: Database,
  dagRunId: string,
  name: string | undefined,
  names = name === undefined ? listNames(database, '') : [name],
): Source {
  const keys = names.flatMap((dag) => database.all<{ key: number }>(keyOfIdSql, dag, dagRunId));
  const ordered = keys.map(({ key }) => key).toSorted((left, right) => right - left);
  return (after, limit) => {
    const last = keyOf(after) ?? Infinity;
    return ordered
      .filter((key) => key < last)
      .slice(0, limit)
      .map((key) => ({ key }));
  };
}

function listByKey(database: Database, search: RunSearch): Source {
  return (after, limit) => {
    const query = buildPageQuery({ ...search, before: keyOf(after), limit });
    return query === undefined ? [] : database.all<{ key: number }>(query.sql, ...query.values);
  };
}

/** The key of a place in a list that is ordered by keys. */
function keyOf(place: RunPlace | undefined): number | undefined {
  if (place?.at !== undefined) throw otherOrder();
  return place?.key;
}

function listByTime(database: Database, { createdFrom, createdBefore, topLevelOnly }: RunSearch): Source {
  const from = createdFrom ?? Number.MIN_SAFE_INTEGER;
  const end = (createdBefore ?? Number.MAX_SAFE_INTEGER) - 1;
  return (after, limit) => {
    if (after !== undefined && after.at === undefined) throw otherOrder();
    const at = after?.at ?? Number.MAX_SAFE_INTEGER;
    const range = [from, Math.min(end, at), at, after?.key ?? Number.MAX_SAFE_INTEGER] as const;
    const rows = topLevelOnly
      ? database.all<CreatedRow>(createdTopSql, 0, ...range, limit)
      : database.all<CreatedRow>(createdAllSql, 0, ...range, 1, ...range, limit);
    return rows.map(({ key, created_at: created }) => ({ key, at: created }));
  };
}

const otherOrder = (): AppError =>
  new AppError('bad_request', 'cursor: this is a cursor of other filters; leave it out for the first page', {
    details: { field: 'cursor' },
  });

function scan(database: Database, search: RunSearch, list: Source): RunPage {
  const fits = readCondition(search);
  const found: RunPlace[] = [];
  let place = search.after;
  for (let looks = 0; looks < mostLooks;) {
    const wanted = looks === 0 ? search.limit : chunk;
    const places = list(place, wanted);
    for (const next of places) {
      place = next;
      if (!fits(database.get<Candidate>(candidateSql, next.key)!)) continue;
      found.push(next);
      if (found.length === search.limit) return { runs: readRows(database, found), next };
    }
    if (places.length < wanted) return { runs: readRows(database, found) };
    looks += places.length;
  }
  return { runs: readRows(database, found), ...(place && { next: place }) };
}

function readCondition(search: RunSearch): (run: Candidate) => boolean {
  const { name, nameContains, statuses, topLevelOnly } = search;
  const { createdFrom = -Infinity, createdBefore = Infinity } = search;
  const part = nameContains?.toLowerCase();
  return ({ dag, status, created_at: at, is_sub: isSub }) =>
    (!topLevelOnly || isSub === 0) &&
    (name === undefined || dag === name) &&
    (part === undefined || dag.toLowerCase().includes(part)) &&
    (statuses === undefined || statuses.includes(status)) &&
    at >= createdFrom &&
    at < createdBefore;
}
