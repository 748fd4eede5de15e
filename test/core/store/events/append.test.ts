import { oneByOne } from '../../../harness/resources.ts';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import { describeOnStores } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore, owner } from '../store-harness.ts';

const node = { section: 'step', name: 'load' } as const;
const started: RunEvent = { type: 'run.started', logDir: 'logs/1' };
const stepStarted: RunEvent = { type: 'step.started', node, attempt: 1, dir: 'load/1' };

describeOnStores('append', () => {
  it('writes the events of a batch and the resulting state', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const events: RunEvent[] = [
      started,
      stepStarted,
      { type: 'run.message', level: 'warning', message: 'slow', node },
    ];
    expect(await write(events, 2000)).toEqual({ outcome: 'written' });
    expect(await store.findRun(run)).toMatchObject({ status: 'running', startedAt: 2000, logDir: 'logs/1' });
    expect((await store.listEvents(1, 10, run)).map(({ at, event }) => ({ at, event }))).toEqual(
      events.map((event, index) => ({ at: 2000 + index, event })),
    );
  });

  it('writes nothing of a batch with one event that the state does not allow', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const before = await store.getDetail(run);
    const outcome = await write([started, stepStarted, { ...stepStarted, attempt: 2 }]);
    expect(outcome).toEqual({ outcome: 'illegal', reason: 'attempt 1 of step "load" has not ended' });
    expect(await store.getDetail(run)).toEqual(before);
  });

  it('does not repeat an earlier commit whose response was lost', async () => {
    const store = openTestStore();
    const { run, epoch } = await createOwnedRun(store);
    const events: RunEvent[] = [
      started,
      { type: 'run.message', level: 'info', message: 'twice' },
      { type: 'run.message', level: 'info', message: 'twice' },
      stepStarted,
    ];
    const batch = (count: number, inDoubt = 0) => ({
      runKey: run.key,
      epoch,
      events: events.slice(0, count).map((event) => ({ at: 9, event })),
      inDoubt,
    });
    const written = [{ outcome: 'written' }];
    const types = async () => (await store.listEvents(0, 10, run)).map(({ event }) => event.type);
    expect((await store.append([batch(1, 1)])).outcomes).toEqual(written);
    expect(await types()).toEqual(['run.created', 'run.started']);
    expect((await store.append([batch(3, 1)])).outcomes).toEqual(written);
    // By another writer, in between.
    await store.requestStop(run, 'ann', 9);
    expect((await store.append([batch(4, 3)])).outcomes).toEqual(written);
    expect(await types()).toEqual([
      'run.created',
      'run.started',
      'run.message',
      'run.message',
      'run.stop_requested',
      'step.started',
    ]);
  });

  it('recognizes the last events of a run that ended with them', async () => {
    const store = openTestStore();
    const { run, epoch, write } = await createOwnedRun(store);
    await write([started]);
    const event: RunEvent = { type: 'run.finished', status: 'succeeded', outputs: {} };
    const batch = { runKey: run.key, epoch, events: [{ at: 9, event }] };
    await store.append([batch]);
    expect((await store.append([{ ...batch, inDoubt: 1 }])).outcomes).toEqual([{ outcome: 'written' }]);
    expect((await store.append([batch])).outcomes).toMatchObject([{ outcome: 'illegal' }]);
  });

  it('rejects a writer whose events were committed if another host owns the run by now', async () => {
    const store = openTestStore();
    const { run, epoch } = await createOwnedRun(store);
    const batch = { runKey: run.key, epoch, events: [{ at: 9, event: started }] };
    await store.append([batch]);
    const other = { ...owner, id: 'other' };
    await store.claimOrphanedRun(
      { runKey: run.key, epoch, owner: other, by: 'b', from: 'a', reason: 'lost' },
      10,
    );
    const { outcomes } = await store.append([{ ...batch, inDoubt: 1 }]);
    expect(outcomes).toMatchObject([{ outcome: 'stale' }]);
  });

  it('commits or rejects each batch separately', async () => {
    const store = openTestStore();
    const runs = [await createOwnedRun(store), await createOwnedRun(store), await createOwnedRun(store)];
    const batches = runs.map(({ run, epoch }) => ({
      runKey: run.key,
      epoch,
      events: [{ at: 9, event: started }],
    }));
    batches[1]!.epoch -= 1;
    expect((await store.append(batches)).outcomes.map(({ outcome }) => outcome)).toEqual([
      'written',
      'stale',
      'written',
    ]);
    expect(await oneByOne(runs, async ({ run }) => (await store.findRun(run))?.status)).toEqual([
      'running',
      'not_started',
      'running',
    ]);
  });

  it.each([-1, 1])('rejects a writer whose epoch is off by %i', async (difference) => {
    const store = openTestStore();
    const { run, epoch } = await createOwnedRun(store);
    const [outcome] = (
      await store.append([
        { runKey: run.key, epoch: epoch + difference, events: [{ at: 9, event: started }] },
      ])
    ).outcomes;
    expect(outcome).toMatchObject({ outcome: 'stale', reason: expect.stringContaining(`epoch ${epoch}`) });
  });

  it('rejects a writer that never claimed the run, and one of an unknown run', async () => {
    const store = openTestStore();
    const run = await store.createRun(describeRun(), 1);
    const events = [{ at: 9, event: started }];
    expect((await store.append([{ runKey: run.key, epoch: 0, events }])).outcomes[0]?.outcome).toBe('stale');
    expect((await store.append([{ runKey: 77, epoch: 0, events }])).outcomes[0]?.outcome).toBe('illegal');
  });

  it('accepts an empty list of batches', async () => {
    expect(await openTestStore().append([])).toEqual({ outcomes: [], events: [] });
  });
});

describeOnStores('listEvents', () => {
  it('continues after an id, over all runs or within one', async () => {
    const store = openTestStore();
    const first = await createOwnedRun(store);
    const second = await createOwnedRun(store);
    await first.write([started]);
    await second.write([started, stepStarted]);
    expect((await store.listEvents(0, 2)).map(({ id }) => id)).toEqual([1, 2]);
    expect((await store.listEvents(2, 10)).map(({ id }) => id)).toEqual([3, 4, 5]);
    expect((await store.listEvents(0, 10, first.run)).map(({ id }) => id)).toEqual([1, 3]);
    expect((await store.listEvents(3, 10, second.run)).map(({ id }) => id)).toEqual([4, 5]);
    expect(await store.listEvents(0, 10, { name: 'etl', dagRunId: 'none' })).toEqual([]);
    expect(await store.lastEventId()).toBe(5);
  });

  it('distinguishes the run of an event from a run it mentions', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const subRun: RunEvent = { type: 'step.sub_run', node, name: 'child', dagRunId: 'child-1' };
    await write([started, stepStarted, subRun]);
    expect(await store.listEvents(3, 1)).toEqual([
      { id: 4, dag: 'etl', dagRunId: run.dagRunId, at: 2002, event: subRun },
    ]);
  });
});
