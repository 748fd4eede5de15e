import { expect, it } from 'vitest';
import type {
  ClaimedTask,
  DispatchStore,
  TaskLease,
  WorkerLease,
} from '../../../../core/store/types/dispatch.ts';
import { describeOnDispatch, hello, newTask } from './describe-on-dispatch.ts';

const stateOf = async (store: DispatchStore, key: string): Promise<string | undefined> =>
  (await store.find([key]))[0]?.state;

const claimOne = async (store: DispatchStore, worker: WorkerLease): Promise<ClaimedTask> =>
  (await store.claim([{ ...worker, free: 1 }])).get(worker.id)![0]!;

const getKeys = (tasks: readonly TaskLease[] | undefined): string[] => (tasks ?? []).map(({ key }) => key);

describeOnDispatch('task lifecycle', (under) => {
  it('goes from offer, claim and start to a result that is written once', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1', { gpu: 'yes' }));
    await store.offer([newTask('a', { selector: { gpu: 'yes' } })]);
    const claimed = await store.claim([{ ...worker, free: 5 }]);
    expect(claimed).toEqual(new Map([['w1', [{ key: 'a', fence: 1, payload: '{"key":"a"}' }]]]));
    const hold = { key: 'a', fence: 1 };
    expect(await store.begin(worker, [hold])).toEqual(['a']);
    const taskResult = { ...worker, ...hold, result: '{"exitCode":0}' };
    expect(await store.settle([taskResult, taskResult])).toEqual(['settled', 'again']);
    expect(await store.settle([taskResult, { ...taskResult, result: '{}' }])).toEqual(['again', 'stale']);
    expect((await store.stats()).staleRefused).toBe(1);
    const [task] = await store.find(['a', 'unknown']);
    expect(task).toEqual({
      key: 'a',
      runKey: 1,
      run: { name: 'etl', dagRunId: 'r1' },
      step: 'load',
      selector: { gpu: 'yes' },
      state: 'settled',
      fence: 1,
      worker: { id: 'w1', epoch: worker.epoch },
      offeredAt: expect.any(Number),
      begunAt: expect.any(Number),
      endedAt: expect.any(Number),
      result: '{"exitCode":0}',
      attemptDir: '/logs/a',
    });
  });

  it('a task is offered once, however often the host repeats it', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a'), newTask('a', { payload: 'other' })]);
    const first = await claimOne(store, worker);
    await store.offer([newTask('a', { payload: 'other' }), newTask('b')]);
    expect(first.payload).toBe('{"key":"a"}');
    expect(getKeys((await store.claim([{ ...worker, free: 5 }])).get('w1'))).toEqual(['b']);
    expect(await stateOf(store, 'a')).toBe('claimed');
  });

  it('only the host that owns the run can offer a task', async () => {
    const { store, execute } = under();
    await execute(runSql(5, 4));
    await store.offer([
      newTask('old', { runKey: 5, runEpoch: 3 }),
      newTask('own', { runKey: 5, runEpoch: 4 }),
      newTask('gone', { runKey: 6, runEpoch: 4 }),
    ]);
    expect(getKeys(await store.find(['old', 'own', 'gone']))).toEqual(['own']);
  });

  it('assigns tasks only to workers that have all labels', async () => {
    const { store } = under();
    const selector = { gpu: 'yes', zone: 'eu=1', 'a=b': 'c' };
    await store.offer([newTask('a', { selector }), newTask('b', { selector: { zone: 'us' } })]);
    const some = await store.register(hello('some', { gpu: 'yes', zone: 'eu' }));
    const all = await store.register(hello('all', { ...selector, more: 'x' }));
    const got = await store.claim([
      { ...some, free: 5 },
      { ...all, free: 5 },
    ]);
    expect(getKeys(got.get('some'))).toEqual([]);
    expect(getKeys(got.get('all'))).toEqual(['a']);
    expect((await store.find(['a']))[0]!.selector).toEqual(selector);
    expect(await store.match(selector)).toEqual({ workers: 2, matching: 1 });
    expect(await store.match({ zone: 'us' })).toEqual({ workers: 2, matching: 0 });
  });

  it('assigns by priority, then by age, round robin', async () => {
    const { store } = under();
    await store.offer(['a', 'b', 'c', 'd'].map((key) => newTask(key)));
    await store.offer([newTask('high', { priority: 5 }), newTask('low', { priority: -1 })]);
    const workers = await Promise.all(['w1', 'w2'].map((id) => store.register(hello(id, { zone: 'eu' }))));
    const other = await store.register(hello('w3', { zone: 'us' }));
    const requests = [...workers.map((worker) => ({ ...worker, free: 2 })), { ...other, free: 1 }];
    const got = await store.claim(requests);
    expect([...getKeys(got.get('w1')), ...getKeys(got.get('w2')), ...getKeys(got.get('w3'))].sort()).toEqual([
      'a',
      'b',
      'c',
      'd',
      'high',
    ]);
    expect(getKeys(got.get('w1'))[0]).toBe('high');
    expect([got.get('w1')!.length, got.get('w2')!.length, got.get('w3')!.length]).toEqual([2, 2, 1]);
    expect(await stateOf(store, 'low')).toBe('ready');
  });

  it('never assigns a task to two concurrent claims', async () => {
    const { store, openAnother } = under();
    const stores = [store, openAnother(), openAnother()];
    const workers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.register(hello(`w${index}`, index % 2 ? { zone: 'eu' } : { zone: 'eu', gpu: 'yes' })),
      ),
    );
    const keys = Array.from({ length: 300 }, (_, index) => `task-${index}`);
    await store.offer(keys.map((key, index) => newTask(key, { selector: index % 3 ? { zone: 'eu' } : {} })));
    const got: string[] = [];
    while (got.length < keys.length) {
      const answers = await Promise.all(
        workers.map((worker, index) => stores[index % 3]!.claim([{ ...worker, free: 1 + (index % 7) }])),
      );
      const all = answers.flatMap((answer) => [...answer.values()].flatMap(getKeys));
      // Rows locked by another claim are skipped, but not by all of them.
      expect(all).not.toEqual([]);
      got.push(...all);
    }
    expect(got.toSorted()).toEqual(keys.toSorted());
  });

  it('an undeliverable task is released, and cannot be started under the old fence', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a')]);
    const hold = await claimOne(store, worker);
    await store.release([hold]);
    expect(await stateOf(store, 'a')).toBe('ready');
    expect(await store.begin(worker, [hold])).toEqual([]);
    const next = await claimOne(store, worker);
    expect(next.fence).toBeGreaterThan(hold.fence);
    await store.release([hold]);
    expect(await store.begin(worker, [next])).toEqual(['a']);
    // Confirmed tasks stay.
    await store.release([next]);
    expect(await stateOf(store, 'a')).toBe('running');
  });

  it('releases a task that is not confirmed in time, under a higher fence', async () => {
    const { store, pass } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a'), newTask('b')]);
    const [first, confirmed] = (await store.claim([{ ...worker, free: 2 }])).get('w1')!;
    await pass(9_000);
    expect(await store.begin(worker, [confirmed!])).toEqual(['b']);
    expect(await store.reap()).toEqual({ lost: 0, returned: 0 });
    await pass(1_500);
    expect(await store.reap()).toEqual({ lost: 0, returned: 1 });
    expect(await store.begin(worker, [first!])).toEqual([]);
    expect(await store.settle([{ ...worker, ...first!, result: '{}' }])).toEqual(['stale']);
    expect((await claimOne(store, worker)).fence).toBeGreaterThan(first!.fence);
    expect(await stateOf(store, 'b')).toBe('running');
  });

  it('can be confirmed again when the response was lost', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a')]);
    const hold = await claimOne(store, worker);
    expect(await store.begin(worker, [hold])).toEqual(['a']);
    expect(await store.begin(worker, [hold, { key: 'unknown', fence: 1 }])).toEqual(['a']);
  });

  it('accepts reports only from its worker in its current epoch, under its fence', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    const other = await store.register(hello('w2'));
    await store.offer([newTask('a')]);
    const hold = await claimOne(store, worker);
    expect(await store.begin(other, [hold])).toEqual([]);
    await store.begin(worker, [hold]);
    const taskResult = { ...worker, ...hold, result: '{}' };
    const wrong = [
      { ...taskResult, id: 'w2', epoch: other.epoch },
      { ...taskResult, epoch: worker.epoch + 1 },
      { ...taskResult, fence: hold.fence + 1 },
      { ...taskResult, key: 'unknown' },
    ];
    expect(await store.settle(wrong)).toEqual(wrong.map(() => 'stale'));
    expect(await store.settle([wrong[0]!, taskResult, wrong[0]!])).toEqual(['stale', 'settled', 'stale']);
    expect((await store.stats()).staleRefused).toBe(6);
    // In its next epoch it may ask for the outcome again.
    const next = await store.register(hello('w1'));
    expect(await store.settle([{ ...taskResult, ...next }])).toEqual(['again']);
  });

  it('reveals file locations only to the worker that holds it', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a', { runKey: 9 })]);
    const hold = await claimOne(store, worker);
    expect(await store.findHeld(worker, hold)).toBeUndefined();
    await store.begin(worker, [hold]);
    const held = { attemptDir: '/logs/a', run: { name: 'etl', dagRunId: 'r1' }, runKey: 9 };
    expect(await store.findHeld(worker, hold)).toEqual(held);
    expect(await store.findHeld(worker, { ...hold, fence: 7 })).toBeUndefined();
    await store.settle([{ ...worker, ...hold, result: '{}' }]);
    expect(await store.findHeld(worker, hold)).toBeUndefined();
  });

  it('is listed as changed once started or ended, until it is deleted', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer(['a', 'b', 'c'].map((key) => newTask(key)));
    expect(await store.findChanged(['a', 'b', 'c'])).toEqual([]);
    const holds = (await store.claim([{ ...worker, free: 2 }])).get('w1')!;
    expect(await store.findChanged(['a', 'b', 'c'])).toEqual([]);
    await store.begin(worker, holds);
    await store.settle([{ ...worker, ...holds[0]!, result: '{}' }]);
    const changed = await store.findChanged(['a', 'b', 'c', 'unknown']);
    expect(changed.map(({ key, state }) => `${key} ${state}`).sort()).toEqual(['a settled', 'b running']);
    await store.forget(['a', 'b', 'c']);
    expect(getKeys(await store.find(['a', 'b', 'c'])).sort()).toEqual(['b', 'c']);
  });
});

/** A run, with the minimum that its table requires. */
const runSql = (key: number, epoch: number): string => /* sql */ `
  INSERT INTO spec (key, sha256, text) VALUES (1, 'x', '');
  INSERT INTO run (key, dag, run_id, status, trigger, spec_key, spec_document, is_sub, params, created_at, epoch)
  VALUES (${key}, 'etl', 'r1', 'running', 'manual', 1, 0, 0, '[]', 0, ${epoch});`;
