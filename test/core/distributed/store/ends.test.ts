import { expect, it } from 'vitest';
import { coordinator, describeOnDispatch, hello, newTask } from './describe-on-dispatch.ts';

describeOnDispatch('cancelling tasks', (under) => {
  it('cancels unconfirmed tasks at once, and asks the worker to stop running ones', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer(['runs', 'claimed', 'ready'].map((key) => newTask(key)));
    const [runs, claimed] = (await store.claim([{ ...worker, free: 2 }])).get('w1')!;
    await store.begin(worker, [runs!]);
    await store.cancel(['runs', 'claimed', 'ready', 'unknown'], 'stop');
    const states = (await store.find(['runs', 'claimed', 'ready'])).map(({ key, state, cancel }) => [
      key,
      state,
      cancel,
    ]);
    expect(states.toSorted(([a], [b]) => `${a}`.localeCompare(`${b}`))).toEqual([
      ['claimed', 'cancelled', 'stop'],
      ['ready', 'cancelled', 'stop'],
      ['runs', 'running', 'stop'],
    ]);
    expect(await store.begin(worker, [claimed!])).toEqual([]);
    expect(await store.claim([{ ...worker, free: 5 }])).toEqual(new Map());
    const cancels = async (): Promise<unknown> => (await store.findCancels([worker])).get('w1');
    expect(await cancels()).toEqual([{ key: 'runs', how: 'stop' }]);
    await store.cancel(['runs'], 'kill');
    await store.cancel(['runs'], 'stop');
    expect(await cancels()).toEqual([{ key: 'runs', how: 'kill' }]);
    expect(await store.findCancels([{ ...worker, epoch: worker.epoch + 1 }])).toEqual(new Map());
    // It ends by its result like any other.
    expect(await store.settle([{ ...worker, ...runs!, result: '{}' }])).toEqual(['settled']);
    expect(await cancels()).toBeUndefined();
    await store.cancel(['runs'], 'kill');
    expect((await store.find(['runs']))[0]!.state).toBe('settled');
  });

  it('takes running tasks from a worker that is unreachable', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a'), newTask('ready')]);
    const holds = (await store.claim([{ ...worker, free: 1 }])).get('w1')!;
    await store.begin(worker, holds);
    await store.abandon(['a', 'ready'], 'A person gave it up.');
    expect((await store.find(['a']))[0]).toMatchObject({ state: 'lost', reason: 'A person gave it up.' });
    expect((await store.find(['ready']))[0]!.state).toBe('ready');
    expect(await store.settle([{ ...worker, ...holds[0]!, result: '{}' }])).toEqual(['stale']);
    expect((await store.beat([{ ...worker, running: holds }]))[0]!.lost).toEqual(['a']);
  });
});

describeOnDispatch('views', (under) => {
  it('counts open tasks', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer(['a', 'b', 'c', 'd'].map((key) => newTask(key)));
    const holds = (await store.claim([{ ...worker, free: 3 }])).get('w1')!;
    await store.begin(worker, holds.slice(0, 2));
    expect(await store.stats()).toMatchObject({ ready: 1, claimed: 1, running: 2, staleRefused: 0 });
  });

  it('lists tasks, newest first, by state and run', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a'), newTask('b', { runKey: 2 }), newTask('c', { runKey: 2 })]);
    await store.claim([{ ...worker, free: 1 }]);
    const list = async (filter: Parameters<typeof store.listTasks>[0]): Promise<string[]> =>
      (await store.listTasks(filter)).map(({ key }) => key);
    expect(await list({ limit: 10 })).toEqual(['c', 'b', 'a']);
    expect(await list({ limit: 1, runKey: 2 })).toEqual(['c']);
    expect(await list({ limit: 10, states: ['claimed', 'running'] })).toEqual(['a']);
    expect(await list({ limit: 10, states: ['ready'], runKey: 1 })).toEqual([]);
  });

  it('lists coordinators, and which of them are alive', async () => {
    const { store, pass } = under();
    await store.heartbeatCoordinator(coordinator);
    await pass(20_000);
    await store.heartbeatCoordinator({ ...coordinator, id: 'c2', workers: 3 });
    await store.heartbeatCoordinator({ ...coordinator, id: 'c2', workers: 4 });
    expect(
      (await store.listCoordinators()).map(({ id, isAlive, workers }) => [id, isAlive, workers]),
    ).toEqual([
      ['c1', false, 0],
      ['c2', true, 4],
    ]);
    await store.leaveCoordinator('c2');
    expect((await store.listCoordinators()).map(({ id }) => id)).toEqual(['c1']);
  });

  it('has tokens until they expire or are removed', async () => {
    const { store, pass } = under();
    const { now } = await store.stats();
    const token = { id: 't1', sha256: 'aa', note: 'for the lab', labels: { zone: 'lab' } };
    await store.addJoinToken({ ...token, expiresAt: now + 60_000 });
    await store.addJoinToken({ id: 't2', sha256: 'bb', note: '', labels: {} });
    expect(await store.findJoinToken('aa')).toMatchObject(token);
    expect(await store.findJoinToken('cc')).toBeUndefined();
    await pass(61_000);
    expect(await store.findJoinToken('aa')).toBeUndefined();
    expect((await store.listJoinTokens()).map(({ id }) => id)).toEqual(['t1', 't2']);
    expect(await store.findJoinToken('bb')).not.toHaveProperty('expiresAt');
    expect(await store.removeJoinToken('t2')).toBe(true);
    expect(await store.removeJoinToken('t2')).toBe(false);
    expect(await store.findJoinToken('bb')).toBeUndefined();
  });
});

describeOnDispatch('wake-ups', (under) => {
  it('reach waiting stores, from their own store and from others', async () => {
    const { store, openAnother, pass } = under();
    for (const other of [store, openAnother()]) {
      const heard = new Set<string>();
      const stop = store.onWake((kind) => heard.add(kind));
      const heardAfter = async (kind: string, act: () => Promise<unknown>): Promise<void> => {
        await act();
        while (!heard.has(kind)) await letPass();
        expect([...heard]).toContain(kind);
      };
      const letPass = async (): Promise<void> => {
        await pass(25);
        await new Promise(setImmediate);
      };
      const worker = await other.register(hello('w1'));
      // On a server, listening has started once a first one was received.
      for (let number = 0; !heard.has('offered'); number += 1) {
        await other.offer([newTask(`${number}`)]);
        await letPass();
      }
      await other.offer([newTask('last')]);
      const holds = (await other.claim([{ ...worker, free: 1 }])).get('w1')!;
      heard.clear();
      await heardAfter('changed', () => other.begin(worker, holds));
      await heardAfter('cancelled', () => other.cancel([holds[0]!.key], 'stop'));
      heard.clear();
      await heardAfter('changed', () => other.settle([{ ...worker, ...holds[0]!, result: '{}' }]));
      stop();
      await store.cancel(
        (await store.listTasks({ states: ['ready'], limit: 1000 })).map(({ key }) => key),
        'stop',
      );
      await store.forget((await store.listTasks({ limit: 1000 })).map(({ key }) => key));
    }
  });
});
