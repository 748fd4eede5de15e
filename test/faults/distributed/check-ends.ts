import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { TaskRecord } from '../../../core/store/types/dispatch.ts';
import type { RemoteResult } from '../../../core/run/remote/remote-task.ts';
import type { TestCluster } from './test-cluster.ts';

const wholeLog = 'one\ntwo\n';

/**
 * Checks that each task has ended once: its command was started at most once, its result and its log are
 * complete if it has a result, and nothing of it continued after another host rightly took it over.
 * @returns the number of tasks with a result
 */
export async function checkEnds(cluster: TestCluster, records: readonly TaskRecord[]): Promise<number> {
  expect(records.flatMap((record) => findWrong(cluster, record))).toEqual([]);
  const late = cluster.workers.flatMap(({ log }) => log.match(/Discarded a late result/g) ?? []).length;
  const { staleRefused, ready, claimed, running } = await cluster.store.stats();
  expect(staleRefused, 'late results that were counted').toBeGreaterThanOrEqual(late);
  expect({ ready, claimed, running }).toEqual({ ready: 0, claimed: 0, running: 0 });
  return records.filter(({ state }) => state === 'settled').length;
}

function findWrong(cluster: TestCluster, record: TaskRecord): string[] {
  const { key, state, attemptDir, endedAt = 0 } = record;
  const started = cluster.effectsOf(key);
  const log = readLog(attemptDir);
  const wrong: string[] = [];
  if (started > 1) wrong.push(`${key} was begun ${started} times`);
  if (!wholeLog.startsWith(log)) wrong.push(`${key} has another log: ${JSON.stringify(log)}`);
  if (state === 'settled') wrong.push(...findWrongResult(record, started, log));
  else if (record.result !== undefined) wrong.push(`${key} is ${state} and has a result`);
  const lastTick = cluster.lastTickOf(key);
  if (state === 'lost' && lastTick > endedAt)
    wrong.push(`${key} went on for ${lastTick - endedAt} ms after it was given up`);
  return wrong;
}

function findWrongResult({ key, result }: TaskRecord, started: number, log: string): string[] {
  const { exitCode, unstarted, captured, error } = JSON.parse(result!) as RemoteResult;
  if (unstarted === true) return started === 0 ? [] : [`${key} is told not to have been begun, and was`];
  if (started !== 1) return [`${key} has a result and was begun ${started} times`];
  // Ended by its worker for lack of a lease, which was reported in time.
  if (error?.includes('onPartition') === true) return [];
  if (exitCode !== 0 || captured !== 'one\ntwo')
    return [`${key} ended with ${exitCode} ${JSON.stringify(captured)} ${error}`];
  return log === wholeLog ? [] : [`${key} has not all of its log: ${JSON.stringify(log)}`];
}

function readLog(attemptDir: string): string {
  const file = path.join(attemptDir, 'stdout.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
