import { expect, it } from 'vitest';
import type { DispatchStore, CompletionOutcome, TaskLease } from '../../../../core/store/types/dispatch.ts';
import { AppError } from '../../../../core/base/errors.ts';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import {
  type DispatchStoreUnderTest,
  coordinator,
  describeOnServers,
  hello,
  newTask,
  testSettings,
} from './describe-on-dispatch.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Retries until the database is available; any other error fails the test. */
async function persist<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Kills the server at once, like a power failure, and starts it again. */
async function killAndRestart({ server }: DispatchStoreUnderTest): Promise<void> {
  process.kill(server!.pid, 'SIGKILL');
  await server!.stop();
  for (;;) {
    try {
      await server!.begin();
      return;
    } catch {
      // Its last processes are still there for a moment.
      await turn();
    }
  }
}

/** A worker that runs what it gets until there is nothing more to come. */
async function work(
  store: DispatchStore,
  id: string,
  isOver: () => boolean,
): Promise<{ started: TaskLease[]; outcomes: CompletionOutcome[] }> {
  const worker = await persist(() => store.register(hello(id)));
  const started: TaskLease[] = [];
  const outcomes: CompletionOutcome[] = [];
  while (!isOver()) {
    await persist(() => store.beat([{ ...worker, running: [] }]));
    const got = await persist(() => store.claim([{ ...worker, free: 5 }]));
    const holds = got.get(id) ?? [];
    if (holds.length === 0) await turn();
    else {
      const own = new Set(await persist(() => store.begin(worker, holds)));
      const mine = holds.filter(({ key }) => own.has(key));
      started.push(...mine);
      const results = mine.map((hold) => ({
        ...worker,
        ...hold,
        result: `{"by":"${id}","fence":${hold.fence}}`,
      }));
      outcomes.push(...(await persist(() => store.settle(results))));
    }
  }
  return { started, outcomes };
}

describeOnServers('server killed under load', (under) => {
  it('loses no acknowledged task, and runs none twice', async () => {
    const { store } = under();
    const acknowledged: string[] = [];
    let isOver = false;
    const produce = async (): Promise<void> => {
      for (let batch = 0; batch < 25; batch += 1) {
        const keys = Array.from({ length: 10 }, (_, index) => `task-${batch}-${index}`);
        await persist(() => store.offer(keys.map((key) => newTask(key))));
        acknowledged.push(...keys);
      }
    };
    const workers = ['w1', 'w2', 'w3', 'w4'].map((id) => {
      const own = under().openAnother();
      return work(own, id, () => isOver);
    });
    const producing = produce();
    while (acknowledged.length < 100) await turn();
    await killAndRestart(under());
    await producing;
    // A task claimed when the response was lost is not confirmed; the test does not wait for the window here.
    for (let open = -1; open !== 0;) {
      await under().pass(testSettings.activationMs);
      await persist(() => store.reap());
      const { ready, claimed, running } = await persist(() => store.stats());
      open = ready + claimed + running;
      await turn();
    }
    isOver = true;
    const done = await Promise.all(workers);
    const ended = await store.find(acknowledged);
    expect(ended.length).toBe(250);
    expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['settled']));
    const started = done.flatMap((each) => each.started.map(({ key }) => key));
    expect(started.toSorted()).toEqual(acknowledged.toSorted());
    const outcomes = done.flatMap((each) => each.outcomes);
    expect(outcomes).not.toContain('stale');
    expect((await store.stats()).staleRefused).toBe(0);
  });

  it('takes nothing from workers for one lease after a restart', async () => {
    const { store, pass } = under();
    const beat = (): Promise<void> => persist(() => store.heartbeatCoordinator(coordinator));
    await beat();
    for (let index = 0; index < 8; index += 1) {
      await pass(5000);
      await beat();
    }
    const worker = await store.register(hello('w1'));
    await store.offer([newTask('a')]);
    const holds = (await store.claim([{ ...worker, free: 1 }])).get('w1')!;
    await store.begin(worker, holds);
    await pass(29_000);
    await beat();
    await pass(2000);
    await beat();
    await killAndRestart(under());
    expect(await persist(() => store.reap())).toEqual({ lost: 0, returned: 0 });
    expect((await store.beat([{ ...worker, running: holds }]))[0]).toMatchObject({
      isUnknown: false,
      lost: [],
    });
    const { reapingFrom, now } = await store.stats();
    expect(reapingFrom - now).toBeGreaterThan(testSettings.leaseMs / 2);
  });

  it('listeners receive notifications again', async () => {
    const { store } = under();
    const heard: string[] = [];
    const stop = store.onWake((kind) => heard.push(kind));
    const offerUntilHeard = async (name: string): Promise<void> => {
      heard.length = 0;
      for (let number = 0; !heard.includes('offered'); number += 1) {
        await persist(() => store.offer([newTask(`${name}-${number}`)]));
        await turn();
      }
      expect(heard).toContain('offered');
    };
    await offerUntilHeard('before');
    await killAndRestart(under());
    await offerUntilHeard('after');
    stop();
  });

  it('is reported as unavailable, without its password', async () => {
    const { server } = under();
    const url = server!.url.replace('postgres@', 'postgres:secret@').replace(/:\d+\//, ':1/');
    const store = openDispatch({ url }, systemClock);
    const error = await store.stats().catch((cause: unknown) => cause as AppError);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(JSON.stringify([(error as AppError).message, (error as AppError).details])).not.toContain(
      'secret',
    );
    await store.close();
  });
});
