import { expect, it } from 'vitest';
import { createStore } from '../../../../core/store/open-store.ts';
import { maxExaminedFailures } from '../../../../core/store/runs/run-statistics.ts';
import type { RunStatus } from '../../../../core/model/run.ts';
import type { RunStore } from '../../../../core/store/types/runs.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore, repeatRun } from '../store-harness.ts';

/** A run that was created at 1000 and started at 2000. */
function finish(
  store: RunStore,
  name: string,
  end: { status: Extract<RunStatus, 'succeeded' | 'failed' | 'aborted'>; error?: string; at?: number },
) {
  const { run, write } = createOwnedRun(store, { name });
  write([{ type: 'run.started', logDir: 'l' }]);
  const { status, error, at = 5000 } = end;
  write([{ type: 'run.finished', status, outputs: {}, ...(error !== undefined && { error }) }], at);
  return run;
}

describeOnStores('run statistics', () => {
  it('count the outcomes of a time range at any number of runs, without sub-runs and active runs', () => {
    const database = openTestDatabase();
    const store = createStore(database);
    expect(store.countOutcomes({ from: 0, until: 5000 })).toEqual({
      succeeded: 0,
      partiallySucceeded: 0,
      failed: 0,
      aborted: 0,
    });
    repeatRun(database, finish(store, 'a', { status: 'succeeded' }), 1499);
    const failed = finish(store, 'b', { status: 'failed', error: 'x', at: 2000 + 1503 });
    createOwnedRun(store, { name: 'b' });
    createOwnedRun(store, { name: 'c', parent: { ...failed, step: 's' } }).write([
      { type: 'run.started', logDir: 'l' },
      { type: 'run.finished', status: 'succeeded', outputs: {} },
    ]);
    store.createRun(describeRun({ name: 'q', waiting: { priority: 0, maxActiveRuns: 1 }, queue: 'q' }), 1000);
    expect(store.countOutcomes({ from: 1000, until: 1001 })).toEqual({
      succeeded: 1500,
      partiallySucceeded: 0,
      failed: 1,
      aborted: 0,
      averageMs: Math.round((1500 * 3000 + 1503) / 1501),
    });
    expect(store.countOutcomes({ from: 1001, until: 9000 }).succeeded).toBe(0);
    expect(store.countWithStatus('queued')).toBe(1);
    expect(store.countWithStatus('succeeded')).toBe(1500);
  });

  it('group failures by workflow and error with their times and newest run', () => {
    const database = openTestDatabase();
    const store = createStore(database);
    repeatRun(database, finish(store, 'a', { status: 'failed', error: 'disk full' }), 3, 100);
    const newest = finish(store, 'b', { status: 'failed' });
    finish(store, 'b', { status: 'succeeded' });
    const { failures, isComplete } = store.listFailures(1000);
    expect(isComplete).toBe(true);
    expect(failures).toEqual([
      { name: 'b', error: undefined, runs: 1, firstAt: 1000, lastAt: 1000, lastKey: newest.key },
      expect.objectContaining({ name: 'a', error: 'disk full', runs: 4, firstAt: 1000, lastAt: 1300 }),
    ]);
    expect(store.findRunId(newest.key)).toBe(newest.dagRunId);
    expect(store.listFailures(1250).failures).toMatchObject([{ name: 'a', runs: 1 }]);
    repeatRun(database, newest, maxExaminedFailures);
    expect(store.listFailures(1000).isComplete).toBe(false);
  });

  it('tell the median duration of the newest successful runs', () => {
    const store = openTestStore();
    for (const at of [3000, 4000, 90_000]) finish(store, 'a', { status: 'succeeded', at });
    finish(store, 'a', { status: 'failed', at: 2001 });
    expect(store.medianDuration('a')).toBe(2000);
    expect(store.medianDuration('none')).toBeUndefined();
  });
});
