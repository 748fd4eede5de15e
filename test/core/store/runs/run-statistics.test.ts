import { expect, it } from 'vitest';
import { createStore } from '../../../../core/store/open-store.ts';
import {
  countEarlierRuns,
  maxExaminedFailures,
  outcomesSql,
} from '../../../../core/store/runs/run-statistics.ts';
import type { RunRecord, RunStatus } from '../../../../core/model/run.ts';
import type { Database } from '../../../../core/store/database/database.ts';
import type { RunStore } from '../../../../core/store/types/runs.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore, owner, repeatRun } from '../store-harness.ts';

/** A run that was created at 1000 and started at 2000. */
async function finish(
  store: RunStore,
  name: string,
  end: { status: Extract<RunStatus, 'succeeded' | 'failed' | 'aborted'>; error?: string; at?: number },
) {
  const { run, write } = await createOwnedRun(store, { name });
  await write([{ type: 'run.started', logDir: 'l' }]);
  const { status, error, at = 5000 } = end;
  await write([{ type: 'run.finished', status, outputs: {}, ...(error !== undefined && { error }) }], at);
  return run;
}

/** Numbers from 0 up to 1, the same for each seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const statuses = ['succeeded', 'partially_succeeded', 'failed', 'aborted'] as const;
const pick = <Value>(values: readonly Value[], random: () => number): Value =>
  values[Math.floor(random() * values.length)]!;

/** Creates a run in the first four hours, perhaps starts it, and ends it. */
async function endRun(store: RunStore, random: () => number): Promise<RunRecord> {
  const at = Math.floor(random() * 4 * 3_600_000);
  const run = await store.createRun(describeRun({ name: 'a', owner }), at);
  await finishRun(store, run, at + Math.floor(random() * 5000), random);
  return run;
}

async function finishRun(
  store: RunStore,
  { key, epoch }: RunRecord,
  at: number,
  random: () => number,
): Promise<void> {
  const started = { at, event: { type: 'run.started', logDir: 'l' } } as const;
  const finished = {
    at: at + 77,
    event: { type: 'run.finished', status: pick(statuses, random), outputs: {} },
  } as const;
  const events = random() < 0.8 ? [started, finished] : [finished];
  expect((await store.append([{ runKey: key, epoch, events }])).outcomes).toEqual([{ outcome: 'written' }]);
}

async function retryRun(
  store: RunStore,
  { key, dagRunId, name }: RunRecord,
  random: () => number,
): Promise<RunRecord> {
  const { epoch } = (await store.findRun({ name, dagRunId }))!;
  const claim = { runKey: key, epoch, owner, by: 'ann', steps: [], maxActiveRuns: -1 };
  const run = await store.reopenRun(claim, 4 * 3_600_000);
  await finishRun(store, run, 4 * 3_600_000, random);
  return run;
}

/** As after the migration, or in the middle of the first count. */
async function forgetCounts(database: Database, countedFrom: number): Promise<void> {
  await database.perform(() =>
    database.write(() => {
      database.run('DELETE FROM run_outcome_count WHERE quarter < ?', Math.floor(countedFrom / 900_000));
      database.run('UPDATE run_outcome_progress SET counted_from = ?', countedFrom);
    }),
  );
}

describeOnStores('run statistics', () => {
  it('count the outcomes of a time range at any number of runs, without sub-runs and active runs', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    expect(await store.countOutcomes({ from: 0, until: 5000 })).toEqual({
      succeeded: 0,
      partiallySucceeded: 0,
      failed: 0,
      aborted: 0,
    });
    await repeatRun(database, await finish(store, 'a', { status: 'succeeded' }), 1499);
    const failed = await finish(store, 'b', { status: 'failed', error: 'x', at: 2000 + 1503 });
    await createOwnedRun(store, { name: 'b' });
    await (
      await createOwnedRun(store, { name: 'c', parent: { ...failed, step: 's' } })
    ).write([
      { type: 'run.started', logDir: 'l' },
      { type: 'run.finished', status: 'succeeded', outputs: {} },
    ]);
    await store.createRun(
      describeRun({ name: 'q', waiting: { priority: 0, maxActiveRuns: 1 }, queue: 'q' }),
      1000,
    );
    expect(await store.countOutcomes({ from: 1000, until: 1001 })).toEqual({
      succeeded: 1500,
      partiallySucceeded: 0,
      failed: 1,
      aborted: 0,
      averageMs: Math.round((1500 * 3000 + 1503) / 1501),
    });
    expect((await store.countOutcomes({ from: 1001, until: 9000 })).succeeded).toBe(0);
    expect(await store.countWithStatus('queued')).toBe(1);
    expect(await store.countWithStatus('succeeded')).toBe(1500);
  });

  it('equal a direct count after any sequence of ends, retries and deletions, at any point of the first count', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    const random = createRandom(7);
    const hour = 3_600_000;
    const compare = async (): Promise<void> => {
      for (let from = 0; from < 4 * hour; from += 1_234_567) {
        const range = { from, until: from + Math.floor(random() * 2 * hour) };
        const row = (await database.perform(() =>
          database.get<Record<string, number>>(outcomesSql, range.from, range.until),
        ))!;
        const { averageMs, ...counts } = await store.countOutcomes(range);
        expect(counts).toEqual({
          succeeded: row['succeeded'],
          partiallySucceeded: row['partial'],
          failed: row['failed'],
          aborted: row['aborted'],
        });
        expect(averageMs).toBe(row['timed']! > 0 ? Math.round(row['spent']! / row['timed']!) : undefined);
      }
    };
    const ended: RunRecord[] = [];
    for (let step = 0; step < 150; step += 1) {
      const chance = random();
      const [known] = chance < 0.5 ? [] : ended.splice(Math.floor(random() * ended.length), 1);
      if (step === 40 || step === 90)
        await forgetCounts(database, step === 40 ? 2 * hour : Number.MAX_SAFE_INTEGER);
      if (step === 60 || step === 110) await database.perform(() => countEarlierRuns(database));
      if (known === undefined) ended.push(await endRun(store, random));
      else if (chance < 0.75) ended.push(await retryRun(store, known, random));
      else await store.deleteRun(known);
      if (step % 10 === 0) await compare();
    }
    await store.purgeRuns('a', { before: 2 * hour });
    await compare();
    await store.purgeRuns('a', {});
    expect(await database.perform(() => database.all('SELECT * FROM run_outcome_count'))).toEqual([]);
  });

  it('group failures by workflow and error with their times and newest run', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    await repeatRun(database, await finish(store, 'a', { status: 'failed', error: 'disk full' }), 3, 100);
    const newest = await finish(store, 'b', { status: 'failed' });
    await finish(store, 'b', { status: 'succeeded' });
    const { failures, isComplete } = await store.listFailures(1000);
    expect(isComplete).toBe(true);
    expect(failures).toEqual([
      { name: 'b', error: undefined, runs: 1, firstAt: 1000, lastAt: 1000, lastKey: newest.key },
      expect.objectContaining({ name: 'a', error: 'disk full', runs: 4, firstAt: 1000, lastAt: 1300 }),
    ]);
    expect(await store.findRunId(newest.key)).toBe(newest.dagRunId);
    expect((await store.listFailures(1250)).failures).toMatchObject([{ name: 'a', runs: 1 }]);
    await repeatRun(database, newest, maxExaminedFailures);
    expect((await store.listFailures(1000)).isComplete).toBe(false);
  });

  it('tell the median duration of the newest successful runs', async () => {
    const store = openTestStore();
    for (const at of [3000, 4000, 90_000]) await finish(store, 'a', { status: 'succeeded', at });
    await finish(store, 'a', { status: 'failed', at: 2001 });
    expect(await store.usualDuration('a')).toMatchObject({ medianMs: 2000 });
    expect(await store.usualDuration('none')).toEqual({ runs: 0 });
  });
});
