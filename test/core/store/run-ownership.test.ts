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

it('a run that is executed at once has its owner from the start, so that no crash or full disk can intervene', async () => {
  const store = openTestStore();
  const run = await store.createRun(describeRun({ owner }), 1);
  expect(await store.findRun(run)).toMatchObject({ owner, epoch: 1, status: 'not_started' });
});

it('a run without an owner cannot be written to', async () => {
  const store = openTestStore();
  const run = await store.createRun(describeRun(), 1);
  const batch = { runKey: run.key, epoch: 0, events: [] };
  expect((await store.append([batch])).outcomes[0]).toMatchObject({ outcome: 'stale' });
});

describeOnStores('requestStop', () => {
  it('records who asked, the first time', async () => {
    const store = openTestStore();
    const { run } = await createOwnedRun(store);
    await store.requestStop(run, 'anna', 5);
    await store.requestStop(run, 'ben', 6);
    expect((await store.findRun(run))?.stopRequestedBy).toBe('anna');
    expect(await store.listEvents(1, 10)).toMatchObject([
      { at: 5, event: { type: 'run.stop_requested', by: 'anna' } },
    ]);
  });

  it('works before the run has started, and from a host that does not own it', async () => {
    const store = openTestStore();
    const run = await store.createRun(describeRun(), 1);
    await store.requestStop(run, 'anna', 5);
    expect((await store.findRun(run))?.stopRequestedBy).toBe('anna');
  });

  it('is rejected for a run that has ended or does not exist', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([{ type: 'run.finished', status: 'succeeded', outputs: {} }]);
    expect((await thrownBy(() => store.requestStop(run, 'anna', 5))).code).toBe('not_running');
    expect((await thrownBy(() => store.requestStop({ name: 'etl', dagRunId: 'x' }, 'anna', 5))).code).toBe(
      'not_found',
    );
    expect((await store.findRun(run))?.stopRequestedBy).toBeUndefined();
  });
});

describe('dataVersion', () => {
  it('changes when another connection commits, not when this one does', async () => {
    const file = makeDatabasePath();
    const here = openStore({ file });
    const there = openStore({ file });
    const before = here.dataVersion();
    await here.createRun(describeRun(), 1);
    expect(here.dataVersion()).toBe(before);
    await there.createRun(describeRun(), 1);
    expect(here.dataVersion()).not.toBe(before);
    here.close();
    there.close();
  });
});
