import { expect, it } from 'vitest';
import { describeOnStores } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore, owner, thrownBy } from '../store-harness.ts';

const other = { ...owner, pid: 200 };
const words = { by: 'b', from: 'a', reason: 'gone' };

describeOnStores('claimOrphanedRun', () => {
  it('assigns the run to another host under the next epoch, and records it', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([{ type: 'run.started', logDir: 'logs' }]);
    const taken = await store.claimOrphanedRun({ runKey: run.key, epoch: 1, owner: other, ...words }, 3000);
    expect(taken).toMatchObject({ status: 'running', epoch: 2, owner: { pid: 200 } });
    expect(store.getDetail(run)).toMatchObject({
      recoveries: [{ at: 3000, ...words }],
      host: { owner: { pid: 200 } },
    });
    expect(await write([{ type: 'run.message', level: 'info', message: 'late' }])).toMatchObject({
      outcome: 'stale',
    });
  });

  it('is rejected for all but the first, and for a run that has ended', async () => {
    const store = openTestStore();
    const { run } = await createOwnedRun(store);
    const options = { runKey: run.key, epoch: 1, owner: other, ...words };
    await store.claimOrphanedRun(options, 1);
    expect((await thrownBy(() => store.claimOrphanedRun(options, 2))).code).toBe('stale_owner');
    const ended = await createOwnedRun(store);
    await ended.write([{ type: 'run.finished', status: 'succeeded', outputs: {} }]);
    expect(
      (await thrownBy(() => store.claimOrphanedRun({ ...options, runKey: ended.run.key }, 2))).code,
    ).toBe('not_running');
    expect(await store.findRunHost(ended.run.key)).toBeUndefined();
  });

  it('lists orphaned runs of a host without the sub-runs of active runs', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const parent = { name: run.name, dagRunId: run.dagRunId, step: 's' };
    const child = await store.createRun(describeRun({ name: 'child', parent, owner }), 1);
    const { key } = (await store.findRunHost(run.key))!;
    expect((await store.listDrivingHosts()).map((host) => host.key)).toEqual([key]);
    expect((await store.listOrphanedRuns(key)).map(({ name }) => name)).toEqual(['etl']);
    await write([{ type: 'run.finished', status: 'failed', outputs: {} }]);
    expect((await store.listOrphanedRuns(key)).map(({ key: run_ }) => run_)).toEqual([child.key]);
  });

  it('prevents a host that has lost a run from starting a sub-run for it', async () => {
    const store = openTestStore();
    const { run } = await createOwnedRun(store);
    await store.claimOrphanedRun({ runKey: run.key, epoch: 1, owner: other, ...words }, 1);
    const parent = { name: run.name, dagRunId: run.dagRunId, step: 's' };
    const stale = await thrownBy(() => store.createRun(describeRun({ name: 'child', parent, owner }), 2));
    expect(stale.code).toBe('stale_owner');
    await store.createRun(describeRun({ name: 'child', parent, owner: other }), 2);
  });
});
