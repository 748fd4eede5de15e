import { describe, expect, it } from 'vitest';
import { openStore } from '../../../core/store/open-store.ts';
import { describeOnStores } from '../../harness/databases.ts';
import {
  createOwnedRun,
  describeRun,
  makeDatabasePath,
  openTestStore,
  owner,
  thrownBy,
} from './store-harness.ts';

it('a run that is executed at once has its owner from the start, so that no crash or full disk can intervene', () => {
  const store = openTestStore();
  const run = store.createRun(describeRun({ owner }), 1);
  expect(store.findRun(run)).toMatchObject({ owner, epoch: 1, status: 'not_started' });
});

it('a run without an owner cannot be written to', () => {
  const store = openTestStore();
  const run = store.createRun(describeRun(), 1);
  const batch = { runKey: run.key, epoch: 0, events: [] };
  expect(store.append([batch])[0]).toMatchObject({ outcome: 'stale' });
});

describeOnStores('requestStop', () => {
  it('records who asked, the first time', () => {
    const store = openTestStore();
    const { run } = createOwnedRun(store);
    store.requestStop(run, 'anna', 5);
    store.requestStop(run, 'ben', 6);
    expect(store.findRun(run)?.stopRequestedBy).toBe('anna');
    expect(store.listEvents(1, 10)).toMatchObject([
      { at: 5, event: { type: 'run.stop_requested', by: 'anna' } },
    ]);
  });

  it('works before the run has started, and from a host that does not own it', () => {
    const store = openTestStore();
    const run = store.createRun(describeRun(), 1);
    store.requestStop(run, 'anna', 5);
    expect(store.findRun(run)?.stopRequestedBy).toBe('anna');
  });

  it('is rejected for a run that has ended or does not exist', () => {
    const store = openTestStore();
    const { run, write } = createOwnedRun(store);
    write([{ type: 'run.finished', status: 'succeeded', outputs: {} }]);
    expect(thrownBy(() => store.requestStop(run, 'anna', 5)).code).toBe('not_running');
    expect(thrownBy(() => store.requestStop({ name: 'etl', dagRunId: 'x' }, 'anna', 5)).code).toBe(
      'not_found',
    );
    expect(store.findRun(run)?.stopRequestedBy).toBeUndefined();
  });
});

describe('dataVersion', () => {
  it('changes when another connection commits, not when this one does', () => {
    const file = makeDatabasePath();
    const here = openStore({ file });
    const there = openStore({ file });
    const before = here.dataVersion();
    here.createRun(describeRun(), 1);
    expect(here.dataVersion()).toBe(before);
    there.createRun(describeRun(), 1);
    expect(here.dataVersion()).not.toBe(before);
    here.close();
    there.close();
  });
});
