import { beforeEach, describe, expect, it } from 'vitest';
import { nextItemsSql } from '../../../core/store/queue-claims.ts';
import type { Store } from '../../../core/store/open-store.ts';
import { describeOnStores } from '../../harness/databases.ts';
import { openMemoryDatabase, openTestStore, owner, begin, enqueue, finish } from './store-harness.ts';

let store: Store;
beforeEach(() => {
  store = openTestStore();
});

/** Polls the queue at a time. */
const look = (at: number, limit?: number, max = 100) =>
  store.queues.claimNext({ queue: 'q', max, owner, ...(limit === undefined ? {} : { limit }) }, at);
const keptOf = async (key: number) => (await store.queues.findWait(key, () => undefined))!.kept;
const hold = async () => (await store.queues.findQueue('q'))?.hold;

describeOnStores('reason that a queue is blocked', () => {
  it('is stored when a poll finds it full, in the transaction of the claims', async () => {
    const [first, second, third] = [await enqueue(store), await enqueue(store), await enqueue(store)];
    await look(2000);
    const kept = { reason: `queue q 1/1: behind run etl ${first.dagRunId}`, at: 2000 };
    expect(await hold()).toEqual(kept);
    for (const { key } of [second, third]) expect(await keptOf(key)).toEqual(kept);
  });

  it('keeps its time while it is the same, and changes with its cause', async () => {
    const [first, second] = [await enqueue(store), await enqueue(store), await enqueue(store)];
    const [claimed] = await look(2000);
    await begin(store, claimed!);
    await look(2500);
    expect(await hold()).toEqual({ reason: `queue q 1/1: behind run etl ${first.dagRunId}`, at: 2000 });
    await finish(store, claimed!);
    await look(3000);
    expect(await hold()).toEqual({ reason: `queue q 1/1: behind run etl ${second.dagRunId}`, at: 3000 });
  });

  it('is deleted when nothing is blocked any more', async () => {
    await enqueue(store);
    const last = await enqueue(store);
    const [claimed] = await look(2000);
    await begin(store, claimed!);
    await finish(store, claimed!);
    expect(await hold()).toBeDefined();
    await look(2500);
    await store.queues.returnClaim({ runKey: last.key, epoch: 1 }, 'a test', 2600);
    expect(await hold()).toBeUndefined();
  });

  it('is not derived from a poll that leaves more to be claimed', async () => {
    for (let count = 0; count < 3; count += 1) await enqueue(store);
    await look(2000, 2, 1);
    expect(await hold()).toBeUndefined();
    await look(2001, 2, 1);
    await look(2002, 2, 1);
    expect(await hold()).toMatchObject({ at: 2002 });
  });

  it('costs no write when nothing has changed', async () => {
    for (let count = 0; count < 3; count += 1) await enqueue(store);
    await look(2000);
    const before = await store.lastEventId();
    await look(2100);
    expect([await store.lastEventId(), (await hold())!.at]).toEqual([before, 2000]);
  });

  it('is older than the reason of a run that came later', async () => {
    await enqueue(store);
    await enqueue(store);
    await look(2000);
    const late = await enqueue(store, {}, {}, 2500);
    expect(await keptOf(late.key)).toMatchObject({
      reason: expect.stringMatching(/^queue q 1\/1: behind 1 queued run, first/),
      at: 2500,
    });
  });
});

describe('the plan of the next run of a queue', () => {
  it('is a seek, however many wait', () => {
    const plan = openMemoryDatabase().all<{ detail: string }>(`EXPLAIN QUERY PLAN ${nextItemsSql}`, 'q', 1);
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH queue_item USING INDEX queue_item_ready (queue=?)',
      'SEARCH run USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
  });
});
