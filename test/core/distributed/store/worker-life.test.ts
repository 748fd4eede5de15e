import { expect, it } from 'vitest';
import type {
  HeartbeatReply,
  ClaimedTask,
  DispatchStore,
  TaskRecord,
  WorkerLease,
} from '../../../../core/store/types/dispatch.ts';
import { coordinator, describeOnDispatch, hello, newTask, testSettings } from './describe-on-dispatch.ts';

const { leaseMs } = testSettings;

/** Offers tasks and has a worker confirm them. */
async function run(
  store: DispatchStore,
  worker: WorkerLease,
  ...keys: string[]
): Promise<readonly ClaimedTask[]> {
  await store.offer(keys.map((key) => newTask(key)));
  const holds = (await store.claim([{ ...worker, free: keys.length }])).get(worker.id)!;
  await store.begin(worker, holds);
  return holds;
}

const findOne = async (store: DispatchStore, key: string): Promise<TaskRecord> =>
  (await store.find([key]))[0]!;

const beatOf = async (
  store: DispatchStore,
  worker: WorkerLease,
  ...running: readonly ClaimedTask[]
): Promise<HeartbeatReply> => (await store.beat([{ ...worker, running }]))[0]!;

const nothing: HeartbeatReply = { isUnknown: false, lost: [], cancel: [], isDraining: false };

describeOnDispatch('worker epochs', (under) => {
  it('increase; a new epoch releases tasks confirmed before, except those it still holds', async () => {
    const { store } = under();
    const first = await store.register(hello('w1'));
    const [kept, dropped] = await run(store, first, 'kept', 'dropped');
    await store.offer([newTask('open')]);
    await store.claim([{ ...first, free: 1 }]);
    const keeps = [kept!, { key: 'dropped', fence: 77 }, { key: 'unknown', fence: 1 }];
    const second = await store.register(hello('w1', {}, { keeps }));
    expect(second.epoch).toBeGreaterThan(first.epoch);
    expect([...second.lost].sort()).toEqual(['dropped', 'unknown']);
    const lost = await findOne(store, 'dropped');
    expect(lost).toMatchObject({
      state: 'lost',
      reason: 'Worker w1 was restarted without resuming the step.',
    });
    expect(lost.fence).toBeGreaterThan(dropped!.fence);
    expect((await findOne(store, 'open')).state).toBe('ready');
    // The first epoch has no say any more.
    expect((await beatOf(store, first, kept!)).isUnknown).toBe(true);
    expect((await beatOf(store, first, kept!)).lost).toEqual(['kept']);
    expect(await store.claim([{ ...first, free: 1 }])).toEqual(new Map());
    expect(await store.settle([{ ...first, ...kept!, result: '{}' }])).toEqual(['stale']);
    expect(await store.settle([{ ...second, ...kept!, result: '{}' }])).toEqual(['settled']);
  });

  it('a new epoch cannot start what the previous one claimed', async () => {
    const { store } = under();
    const first = await store.register(hello('w1'));
    await store.offer([newTask('a')]);
    const holds = (await store.claim([{ ...first, free: 1 }])).get('w1')!;
    const second = await store.register(hello('w1'));
    expect(await store.begin(first, holds)).toEqual([]);
    expect(await store.begin(second, holds)).toEqual([]);
  });

  it('end with the lease: running tasks are lost, unconfirmed ones are ready again', async () => {
    const { store, pass } = under();
    await store.heartbeatCoordinator(coordinator);
    await pass(leaseMs);
    const worker = await store.register(hello('w1'));
    const holds = await run(store, worker, 'a');
    await keepTime(under, leaseMs - 5000);
    expect(await beatOf(store, worker, ...holds)).toEqual(nothing);
    await keepTime(under, leaseMs - 5000);
    expect(await store.reap()).toEqual({ lost: 0, returned: 0 });
    await keepTime(under, 10_000);
    expect((await store.listWorkers())[0]!.state).toBe('gone');
    expect(await store.claim([{ ...worker, free: 1 }])).toEqual(new Map());
    expect(await store.reap()).toEqual({ lost: 1, returned: 0 });
    const task = await findOne(store, 'a');
    expect(task).toMatchObject({ state: 'lost', reason: 'Worker w1 has not responded for 30 s.' });
    expect(task.worker).toEqual({ id: 'w1', epoch: worker.epoch });
    expect(await store.settle([{ ...worker, ...holds[0]!, result: '{}' }])).toEqual(['stale']);
    expect(await beatOf(store, worker, ...holds)).toEqual({ ...nothing, isUnknown: true, lost: ['a'] });
    expect(await store.reap()).toEqual({ lost: 0, returned: 0 });
  });

  it('continue after an expired lease if nothing was taken away', async () => {
    const { store, pass } = under();
    const worker = await store.register(hello('w1'));
    const holds = await run(store, worker, 'a');
    await pass(10 * leaseMs);
    expect(await beatOf(store, worker, ...holds)).toEqual(nothing);
    await store.heartbeatCoordinator(coordinator);
    expect(await store.reap()).toEqual({ lost: 0, returned: 0 });
    expect(await store.settle([{ ...worker, ...holds[0]!, result: '{}' }])).toEqual(['settled']);
  });

  it('are notified of cancels and draining', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    const holds = await run(store, worker, 'a', 'b');
    await store.cancel(['a'], 'stop');
    expect(await store.setDraining('w1', true)).toBe(true);
    expect(await store.setDraining('unknown', true)).toBe(false);
    expect(await beatOf(store, worker, ...holds)).toEqual({
      ...nothing,
      cancel: [{ key: 'a', how: 'stop' }],
      isDraining: true,
    });
    await store.offer([newTask('c')]);
    expect(await store.claim([{ ...worker, free: 1 }])).toEqual(new Map());
    expect(await store.match({})).toEqual({ workers: 1, matching: 0 });
    expect((await store.listWorkers())[0]!.state).toBe('draining');
    // Its current epoch is over, the request is not.
    const next = await store.register(hello('w1'));
    expect(await store.claim([{ ...next, free: 1 }])).toEqual(new Map());
    await store.setDraining('w1', false);
    expect((await store.claim([{ ...next, free: 1 }])).size).toBe(1);
  });

  it('end when the worker leaves or is removed, whatever it holds', async () => {
    const { store } = under();
    for (const end of ['left', 'removed'] as const) {
      const worker = await store.register(hello(end));
      const holds = await run(store, worker, `${end}-runs`);
      await store.offer([newTask(`${end}-open`)]);
      await store.claim([{ ...worker, free: 1 }]);
      await (end === 'left' ? store.leave(worker) : store.removeWorker(end));
      expect((await findOne(store, `${end}-runs`)).state).toBe('lost');
      expect((await findOne(store, `${end}-open`)).state).toBe('ready');
      expect((await beatOf(store, worker, ...holds)).isUnknown).toBe(true);
      await store.cancel([`${end}-open`], 'stop');
    }
    expect(await store.listWorkers()).toEqual([]);
    expect(await store.removeWorker('unknown')).toBe(false);
    const again = await store.register(hello('removed'));
    expect(again.epoch).toBeGreaterThan(1);
    expect((await store.listWorkers()).map(({ id }) => id)).toEqual(['removed']);
  });

  it('are not ended by an earlier one', async () => {
    const { store } = under();
    const first = await store.register(hello('w1'));
    const second = await store.register(hello('w1'));
    const holds = await run(store, second, 'a');
    await store.leave(first);
    expect(await beatOf(store, second, ...holds)).toEqual(nothing);
  });

  it('are listed with their running tasks', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1', { gpu: 'yes' }));
    const holds = await run(store, worker, 'a');
    await store.beat([{ ...worker, running: holds, load: 0.5, freeBytes: 2 ** 40 }]);
    expect(await store.listWorkers()).toEqual([
      {
        id: 'w1',
        epoch: worker.epoch,
        labels: { gpu: 'yes' },
        slots: 10,
        version: '1.0.0',
        host: 'host-of-w1',
        pid: 7,
        state: 'active',
        registeredAt: expect.any(Number),
        beatAt: expect.any(Number),
        leaseUntil: expect.any(Number),
        running: [
          { key: 'a', run: { name: 'etl', dagRunId: 'r1' }, step: 'load', begunAt: expect.any(Number) },
        ],
        load: 0.5,
        freeBytes: 2 ** 40,
      },
    ]);
  });

  it('keep the credential of the join token until they are removed', async () => {
    const { store } = under();
    const credential = { sha256: 'ab', token: 't1', labels: { zone: 'eu' } };
    await store.register(hello('w1', {}, { credential }));
    await store.register(hello('w1'));
    const found = await store.findCredential('w1');
    expect(found).toMatchObject(credential);
    expect(found!.leaseUntil).toBeGreaterThan(found!.now);
    await store.register(hello('w2'));
    expect(await store.findCredential('w2')).toBeUndefined();
    await store.removeWorker('w1');
    expect(await store.findCredential('w1')).toBeUndefined();
  });

  it('are deleted a day after they ended, but no epoch is reused', async () => {
    const { store, openAnother, pass } = under();
    let worker = await store.register(hello('w1'));
    for (let life = 0; life < 4; life += 1) worker = await store.register(hello('w1'));
    await store.leave(worker);
    await pass(25 * 60 * 60 * 1000);
    await openAnother().reap();
    expect((await store.register(hello('w1'))).epoch).toBeGreaterThan(worker.epoch);
  });
});

describeOnDispatch('reaping', (under) => {
  it('waits for one lease after the first coordinator starts', async () => {
    const { store, pass } = under();
    const worker = await store.register(hello('w1'));
    await run(store, worker, 'a');
    await pass(10 * leaseMs);
    expect(await store.reap()).toEqual({ lost: 0, returned: 0 });
    await store.heartbeatCoordinator(coordinator);
    const { reapingFrom, now } = await store.stats();
    expect(reapingFrom - now).toBeGreaterThan(leaseMs - 5000);
    expect(await store.reap()).toEqual({ lost: 0, returned: 0 });
    await keepTime(under, leaseMs + 1000);
    expect(await store.reap()).toEqual({ lost: 1, returned: 0 });
  });

  it('waits again after a time without any coordinator, but not while one is left', async () => {
    const { store, pass } = under();
    await store.heartbeatCoordinator(coordinator);
    await keepTime(under, leaseMs + 1000);
    await store.heartbeatCoordinator({ ...coordinator, id: 'c2' });
    expect((await store.stats()).reapingFrom).toBeLessThan((await store.stats()).now);
    await store.leaveCoordinator('c1');
    await store.heartbeatCoordinator({ ...coordinator, id: 'c3' });
    expect((await store.stats()).reapingFrom).toBeLessThan((await store.stats()).now);
    await pass(leaseMs);
    await store.heartbeatCoordinator({ ...coordinator, id: 'c3' });
    expect((await store.stats()).reapingFrom).toBeGreaterThan((await store.stats()).now);
  });

  it('repairs times in the future after the clock was set back', async () => {
    const { store, pass } = under();
    await store.heartbeatCoordinator(coordinator);
    const worker = await store.register(hello('w1'));
    await run(store, worker, 'a');
    await pass(-100 * leaseMs);
    await store.reap();
    await store.heartbeatCoordinator(coordinator);
    await keepTime(under, 2 * leaseMs);
    expect(await store.reap()).toEqual({ lost: 1, returned: 0 });
  });
});

/** Lets time pass while a coordinator is alive. */
async function keepTime(
  under: () => { store: DispatchStore; pass(milliseconds: number): Promise<void> },
  milliseconds: number,
): Promise<void> {
  const { store, pass } = under();
  for (let left = milliseconds; left > 0; left -= 5000) {
    await pass(Math.min(left, 5000));
    await store.heartbeatCoordinator(coordinator);
  }
}
