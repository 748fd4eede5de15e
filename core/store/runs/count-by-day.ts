import type { DayCount, DayCountQuery } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';

/** Most rows examined one by one. */
const maxPolls = 100_000;

export const countOfDaySql =
  'SELECT count(*) AS runs FROM run WHERE is_sub = 0 AND created_at >= ? AND created_at < ?';
export const failedSql = /* sql */ `
  SELECT created_at FROM run WHERE is_sub = 0 AND status = 'failed' ORDER BY key DESC LIMIT ${maxPolls}`;
export const ofNameSql = /* sql */ `
  SELECT created_at, status FROM run WHERE is_sub = 0 AND dag = ? ORDER BY key DESC LIMIT ${maxPolls}`;

export function countByDay(
  database: Database,
  { days, name }: DayCountQuery,
): { readonly counts: readonly DayCount[]; readonly isComplete: boolean } {
  return database.read(() => (name === undefined ? countAll(database, days) : countOf(database, days, name)));
}

/** Counts the runs of all names. An index covers the days of all runs; failed runs are few enough to be read. */
function countAll(database: Database, days: DayCountQuery['days']) {
  const failed = database.all<{ created_at: number }>(failedSql);
  const counts = days.map(({ from, until }) => ({
    total: database.get<{ runs: number }>(countOfDaySql, from, until)!.runs,
    failed: 0,
  }));
  for (const { created_at: at } of failed) addTo(counts, days, at, (count) => (count.failed += 1));
  return { counts, isComplete: failed.length < maxPolls };
}

function countOf(database: Database, days: DayCountQuery['days'], name: string) {
  const runs = database.all<{ created_at: number; status: string }>(ofNameSql, name);
  const counts = days.map(() => ({ total: 0, failed: 0 }));
  for (const { created_at: at, status } of runs)
    addTo(counts, days, at, (count) => {
      count.total += 1;
      if (status === 'failed') count.failed += 1;
    });
  return { counts, isComplete: runs.length < maxPolls };
}

interface Count {
  total: number;
  failed: number;
}

function addTo(
  counts: readonly Count[],
  days: DayCountQuery['days'],
  at: number,
  add: (count: Count) => void,
): void {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]!.until <= at) low = middle + 1;
    else high = middle;
  }
  const day = days[low];
  if (day !== undefined && day.from <= at) add(counts[low]!);
}
