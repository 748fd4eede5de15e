import { describe, expect, it } from 'vitest';
import { runStatuses } from '../../../core/model/run.ts';
import type { RunFilter } from '../../../core/store/types/runs.ts';
import { stepStateSql } from '../../../core/store/events/apply-step-event.ts';
import { drivingHostsSql, runHostSql, orphanedRunsSql } from '../../../core/store/hosts.ts';
import {
  countByStatusSql,
  runVersionSql,
  buildPageQuery,
  latestKeySql,
  latestRunsSql,
  latestByNameSql,
  listRowsSql,
} from '../../../core/store/runs/run-lists.ts';
import {
  countedOutcomesSql,
  durationsSql,
  recentStatusesSql,
  newestFailuresSql,
  nextUncountedSql,
  outcomesSql,
  topLevelWithStatusSql,
} from '../../../core/store/runs/run-statistics.ts';
import { countActiveSql, parentSql } from '../../../core/store/runs/create-run.ts';
import { lastIdSql, listAllSql, listRunEventsSql } from '../../../core/store/events/events.ts';
import { newestRunEventsSql } from '../../../core/store/events/append.ts';
import { findKeySql, findRunSql, readRunSql } from '../../../core/store/run-rows.ts';
import { ownershipSql } from '../../../core/store/run-ownership.ts';
import {
  deleteRunSql,
  deleteUnusedSpecSql,
  purgeableSql,
  treeSql,
  treeStatusesSql,
} from '../../../core/store/runs/purge-runs.ts';
import {
  attemptsSql,
  specSql,
  stepsSql,
  subRunsSql,
  recoveriesSql,
  stepStatesSql,
  childKeysSql,
  treeKeysSql,
  treeRunSql,
  stepSubRunsSql,
} from '../../../core/store/runs/run-detail.ts';
import {
  lastKeySql,
  namesAfterSql,
  runNamesSql,
  buildFitQuery,
  countTaggedSql,
  createdAllSql,
  createdTopSql,
  keysByIdSql,
  taggedAllSql,
  taggedTopSql,
} from '../../../core/store/runs/search-runs.ts';
import {
  claimedItemSql,
  nextItemsSql,
  openClaimsSql,
  openQueuesSql,
  queueHoldSql,
  storedErrorSql,
  activeInQueueSql,
  claimedInQueueSql,
  countActiveInQueueSql,
  countAheadSql,
  headsSql,
  itemSql,
} from '../../../core/store/queue-claims.ts';
import { oldestItemSql, waitingRunSql } from '../../../core/store/queue-changes.ts';
import {
  claimedItemsSql,
  countWaitingSql,
  headLimitSql,
  queueNamesSql,
  runQueueSql,
  queueRunsSql,
  waitingItemsSql,
} from '../../../core/store/queues.ts';
import { succeededSql } from '../../../core/store/schedules.ts';
import { activeRunsSql, decidedSql, restartsSql } from '../../../core/store/fire-times.ts';
import { closeItemsSql, itemSummariesSql, listItemsSql } from '../../../core/store/events/step-items.ts';
import { openMemoryDatabase } from './store-harness.ts';

/** SQLite's query plan, one line for each loop and sort. */
function explain(sql: string): string[] {
  const values = Array.from(sql.matchAll(/\?/g), () => 1);
  return openMemoryDatabase()
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    .map(({ detail }) => detail);
}

/**
 * Scans a whole table or sorts its result; `names` is the few names of the recursive query itself, `places` a list
 * parameter of the query, and a subquery, such as `counted`, is judged by a line of its own.
 */
const costly = (line: string): boolean =>
  /TEMP B-TREE|^SCAN (?!names\b|places\b|counted\b|CONSTANT ROW|\(subquery)/.test(line);

const hotQueries = {
  findKeySql,
  findRunSql,
  readRunSql,
  listRowsSql,
  latestKeySql,
  latestByNameSql,
  latestRunsSql,
  countActiveSql,
  countByStatusSql,
  outcomesSql,
  countedOutcomesSql,
  nextUncountedSql,
  topLevelWithStatusSql,
  newestFailuresSql,
  recentStatusesSql,
  durationsSql,
  runVersionSql,
  ownershipSql,
  parentSql,
  runHostSql,
  orphanedRunsSql,
  recoveriesSql,
  stepStateSql,
  stepsSql,
  attemptsSql,
  subRunsSql,
  stepSubRunsSql,
  listItemsSql,
  closeItemsSql,
  itemSummariesSql,
  specSql,
  listAllSql,
  listRunEventsSql,
  newestRunEventsSql,
  lastIdSql,
  specByHash: 'SELECT key FROM spec WHERE sha256 = ?',
  deleteRunSql,
  purgeableSql,
  treeSql,
  deleteUnusedSpecSql,
  claimedItemSql,
  nextItemsSql,
  oldestItemSql,
  waitingRunSql,
  claimedItemsSql,
  countWaitingSql,
  headLimitSql,
  runQueueSql,
  queueRunsSql,
  waitingItemsSql,
  activeInQueueSql,
  claimedInQueueSql,
  countActiveInQueueSql,
  countAheadSql,
  headsSql,
  itemSql,
  queueHoldSql,
  storedErrorSql,
  decidedSql,
  activeRunsSql,
  succeededSql,
  deleteSlotsSql: 'DELETE FROM schedule_slot WHERE at < ?',
  fitSql: buildFitQuery({ name: 'etl', statuses: ['failed'], createdFrom: 1, limit: 1 }).sql,
  createdTopSql,
  createdAllSql,
  taggedTopSql,
  taggedAllSql,
  fitTagsSql: buildFitQuery({ tags: ['etl', 'prod'], limit: 1 }).sql,
  runNamesSql,
  keysByIdSql,
  lastKeySql,
  namesAfterSql,
  childKeysSql,
  stepStatesSql,
  treeStatusesSql,
};

/** The index contains only restarts that have started and not ended. */
const restartWalks = { restartsSql };

/** The index contains only active runs. */
const hostWalks = { drivingHostsSql };

/** A tree of runs is traversed, from one run down. */
const treeWalks = { treeKeysSql, treeRunSql };

/** Names found by a recursive query are scanned, and so is the table of paused queues. */
const queueWalks = { openQueuesSql, queueNamesSql, openClaimsSql };

describe('the plan of', () => {
  it('countTaggedSql scans only runs with the tag, up to the count limit', () => {
    expect(explain(countTaggedSql).filter((line) => line.includes('run_tag'))).toEqual([
      'SEARCH run_tag USING COVERING INDEX run_tag_by_tag (tag=?)',
    ]);
  });

  it('outcomesSql reads an index only', () => {
    expect(explain(outcomesSql)).toEqual([
      expect.stringContaining('SEARCH run USING COVERING INDEX run_by_outcome (is_sub=? AND created_at>?'),
    ]);
  });

  it.each(Object.entries(hotQueries))('%s uses an index for everything', (_, sql) => {
    const plan = explain(sql);
    expect(plan.length).toBeGreaterThan(0);
    expect(plan.filter(costly)).toEqual([]);
  });

  it.each(Object.entries(hostWalks))('%s scans active runs only', (_, sql) => {
    const walks = explain(sql).filter((line) => line.startsWith('SCAN'));
    expect(walks.filter((line) => !line.includes('INDEX run_by_owner'))).toEqual([]);
  });

  it.each(Object.entries(treeWalks))('%s scans the runs below one only', (_, sql) => {
    const walks = explain(sql).filter((line) => line.startsWith('SCAN'));
    expect(walks.filter((line) => !/^SCAN tree\b/.test(line))).toEqual([]);
  });

  it.each(Object.entries(restartWalks))('%s scans open restarts only', (_, sql) => {
    const walks = explain(sql).filter((line) => line.startsWith('SCAN'));
    expect(walks.filter((line) => !line.includes('INDEX schedule_slot_restarting'))).toEqual([]);
  });

  it.each(Object.entries(queueWalks))('%s scans names of queues and open claims only', (_, sql) => {
    const walks = explain(sql).filter((line) => line.startsWith('SCAN'));
    expect(
      walks.filter(
        (line) =>
          !/^SCAN (names|waiting|active|queue|queue_item USING INDEX queue_item_claimed)\b/.test(line),
      ),
    ).toEqual([]);
  });

  const some = runStatuses.slice(0, 3);
  it.each([
    [{}, 'SEARCH run USING INTEGER PRIMARY KEY (rowid<?)'],
    [{ name: 'a' }, 'SEARCH run USING COVERING INDEX run_by_dag (is_sub=? AND dag=? AND rowid<?)'],
    [{ topLevelOnly: true }, 'SEARCH run USING COVERING INDEX run_by_level (is_sub=? AND rowid<?)'],
    [{ statuses: some }, 'SEARCH run USING COVERING INDEX run_by_status (is_sub=? AND status=? AND rowid<?)'],
    [
      { name: 'a', statuses: some },
      'SEARCH run USING COVERING INDEX run_by_dag_status (is_sub=? AND dag=? AND status=? AND rowid<?)',
    ],
    [
      { name: 'a', statuses: some, topLevelOnly: true },
      'SEARCH run USING COVERING INDEX run_by_dag_status (is_sub=? AND dag=? AND status=? AND rowid<?)',
    ],
  ] as [Partial<RunFilter>, string][])('a page of %j is a merge of index ranges', (filter, search) => {
    const plan = explain(buildPageQuery({ limit: 50, ...filter })!.sql);
    const searches = plan.filter((line) => line.startsWith('SEARCH'));
    expect(new Set(searches)).toEqual(new Set([search]));
    expect(plan.filter(costly)).toEqual([]);
  });
});
