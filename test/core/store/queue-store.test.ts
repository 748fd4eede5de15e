import { oneByOne } from '../../harness/resources.ts';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { formatWait, type QueueClaim } from '../../../core/model/queue.ts';
import type { Store } from '../../../core/store/open-store.ts';
import { describeOnStores } from '../../harness/databases.ts';
import {
  createOwnedRun,
  describeRun,
  openNextTestStore,
  openTestStore,
  owner,
  thrownBy,
  begin,
  claim,
  enqueue,
  finish,
  idsOf,
} from './store-harness.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

let store: Store;
beforeEach(() => {
  store = openTestStore();
});

const noLimits = () => undefined;
const reasonOf = async (key: number, limit?: number): Promise<string> =>
  formatWait((await store.queues.findWait(key, () => limit))!);
const other = { ...owner, pid: 200 };

describeOnStores('enqueued run', () => {
  it('is stored as queued, with its reason in words and as data', async () => {
    const first = await enqueue(store);
    const second = await enqueue(store, { priority: 3 }, { queue: 'other' }, 1500);
    expect(first).toMatchObject({ status: 'queued', error: 'queue q 0/1: next to start', epoch: 0 });
    expect((await store.listEvents(0, 10, second))[0]!.event).toMatchObject({
      type: 'run.created',
      wait: { kind: 'next', queue: 'other', priority: 3, enqueuedAt: 1500, running: 0, limit: 1, ahead: 0 },
    });
  });

  it('is rejected by a draining queue, and nothing is stored', async () => {
    await store.queues.setQueueState('q', 'draining', 'ann', 5);
    const refused = await thrownBy(() => enqueue(store));
    expect(refused.code).toBe('queue_closed');
    expect(refused.message).toContain('ann');
    expect(await store.listRuns({ limit: 10 })).toEqual([]);
  });

  it('is rejected as singleton while a run of its name is queued', async () => {
    await enqueue(store);
    const refused = await thrownBy(() => enqueue(store, {}, { singleton: true }));
    expect(refused.code).toBe('still_running');
  });

  it('counts runs that were started directly against maxActiveRuns', async () => {
    await enqueue(store);
    const refused = await thrownBy(() => store.createRun(describeRun({ maxActiveRuns: 1 }), 1));
    expect(refused.code).toBe('max_run_reached');
  });
});

describeOnStores('queue order', () => {
  it('is the order of arrival, whatever the wall clock says', async () => {
    const runs = await oneByOne([3000, 1000, 2000], (at) => enqueue(store, {}, {}, at));
    expect(idsOf(await claim(store, 10))).toEqual(idsOf(runs));
  });

  it('puts higher priorities first', async () => {
    const [low, normal, high, alsoHigh] = await oneByOne([-5, 0, 7, 7], (priority) =>
      enqueue(store, { priority }),
    );
    expect(idsOf(await claim(store, 10))).toEqual(idsOf([high!, alsoHigh!, normal!, low!]));
  });

  it('holds, with the limit, for every sequence of queue operations', async () => {
    const action = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('enqueue' as const),
          priority: fc.integer({ min: -2, max: 2 }),
        }),
      },
      fc.record({ do: fc.constant('claim' as const), max: fc.integer({ min: 1, max: 4 }) }),
      fc.record({
        do: fc.constantFrom(
          'begin' as const,
          'finish' as const,
          'return' as const,
          'discard' as const,
          'dequeue' as const,
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(action, { maxLength: 40 }),
        async (limit, actions) => {
          store = openNextTestStore();
          let waiting: { dagRunId: string; priority: number; order: number }[] = [];
          const claimed: (QueueClaim & { order: number; priority: number })[] = [];
          const running: typeof claimed = [];
          let order = 0;
          const sort = (): void => {
            waiting = waiting.toSorted((a, b) => b.priority - a.priority || a.order - b.order);
          };
          for (const step of actions) {
            switch (step.do) {
              case 'enqueue':
                order += 1;
                waiting.push({
                  dagRunId: (await enqueue(store, step)).dagRunId,
                  priority: step.priority,
                  order,
                });
                sort();
                break;
              case 'claim': {
                const room = Math.min(step.max, limit - claimed.length - running.length, waiting.length);
                const got = await claim(store, limit, step.max);
                expect(idsOf(got)).toEqual(idsOf(waiting.slice(0, Math.max(0, room))));
                const taken = waiting.splice(0, got.length);
                claimed.push(
                  ...got.map((one, index) => ({
                    ...one,
                    order: taken[index]!.order,
                    priority: taken[index]!.priority,
                  })),
                );
                break;
              }
              case 'begin': {
                const next = claimed.shift();
                if (next) await begin(store, next);
                if (next) running.push(next);
                break;
              }
              case 'finish': {
                const next = running.shift();
                if (next) await finish(store, next);
                break;
              }
              case 'return': {
                const next = claimed.shift();
                if (next) expect(await store.queues.returnClaim(next, 'a test', 1)).toBe(true);
                if (next) waiting.push(next);
                sort();
                break;
              }
              case 'discard': {
                const next = claimed.shift();
                if (next) expect(await store.queues.discardClaim(next, 'a test', 1)).toBe(true);
                break;
              }
              case 'dequeue': {
                const oldest = waiting.toSorted((a, b) => a.order - b.order)[0];
                expect((await store.queues.dequeueOldest('q', 'a test', 1))?.dagRunId).toBe(oldest?.dagRunId);
                waiting = waiting.filter((item) => item !== oldest);
              }
            }
          }
          const items = await store.queues.listQueueItems('q', { limit: 100 });
          expect(
            items.filter(({ claimedAt }) => claimedAt === undefined).map(({ run }) => run.dagRunId),
          ).toEqual(idsOf(waiting));
          expect(
            (await store.queues.listQueues()).find(({ name }) => name === 'q') ?? { running: 0, waiting: 0 },
          ).toMatchObject({
            running: claimed.length + running.length,
            waiting: waiting.length,
          });
        },
      ),
      { numRuns: propertyRuns(60), seed: 7 },
    );
  });
});

describeOnStores('queue limit', () => {
  it('counts active runs, claimed ones and those that were started directly, but no sub-runs', async () => {
    const direct = await createOwnedRun(store, { queue: 'q' });
    await store.createRun(describeRun({ queue: 'q', parent: { ...direct.run, step: 'a' } }), 1);
    const runs = await oneByOne(Array.from({ length: 4 }), () => enqueue(store));
    const [first, ...rest] = await claim(store, 3);
    expect(idsOf([first!, ...rest])).toEqual(idsOf(runs.slice(0, 2)));
    await begin(store, first!);
    expect(await claim(store, 3)).toEqual([]);
    await finish(store, first!);
    expect(idsOf(await claim(store, 3))).toEqual(idsOf([runs[2]!]));
  });

  it('is that of the workflow whose run is next, at least one, when the queue has none', async () => {
    const [one, two, many] = await oneByOne([0, 2, -1], (maxActiveRuns) => enqueue(store, { maxActiveRuns }));
    expect(idsOf(await claim(store))).toEqual(idsOf([one!, two!, many!]));
    await enqueue(store, { maxActiveRuns: 3 });
    expect(await claim(store)).toEqual([]);
  });

  it('of one queue does not affect another', async () => {
    await enqueue(store);
    const there = await enqueue(store, {}, { queue: 'there' });
    await claim(store);
    expect(idsOf(await store.queues.claimNext({ queue: 'there', max: 1, owner }, 1))).toEqual(idsOf([there]));
  });
});

describeOnStores('claim', () => {
  it('assigns the run to one owner only', async () => {
    const run = await enqueue(store);
    const [mine] = await claim(store, 5);
    expect(mine).toMatchObject({ runKey: run.key, queue: 'q', epoch: 1 });
    expect(await store.findRun(run)).toMatchObject({ status: 'queued', owner: { pid: owner.pid }, epoch: 1 });
    expect(await store.queues.claimNext({ queue: 'q', max: 5, limit: 5, owner: other }, 1)).toEqual([]);
    expect(await store.queues.listOpenClaims()).toMatchObject([
      { runKey: run.key, epoch: 1, host: { owner: { pid: 100 } } },
    ]);
    await begin(store, mine!);
    expect(await store.queues.listOpenClaims()).toEqual([]);
    expect(await store.findRun(run)).toMatchObject({ status: 'running', error: undefined });
  });

  it('that is released restores the old position; later writes of its host are rejected', async () => {
    const [first, second] = [await enqueue(store), await enqueue(store)];
    const [late] = await claim(store);
    expect(await store.queues.returnClaim(late!, 'its host is gone', 5)).toBe(true);
    expect(await store.findRun(first)).toMatchObject({ status: 'queued', owner: undefined, epoch: 2 });
    const event = { type: 'run.started', logDir: 'x' } as const;
    expect(
      (await store.append([{ runKey: first.key, epoch: 1, events: [{ at: 1, event }] }])).outcomes[0]!
        .outcome,
    ).toBe('stale');
    expect(await store.queues.returnClaim(late!, 'again', 6)).toBe(false);
    expect(idsOf(await claim(store, 2))).toEqual(idsOf([first, second]));
    // The run is claimed again, but not with that epoch.
    expect(await store.queues.returnClaim(late!, 'again', 7)).toBe(false);
    expect(await store.queues.discardClaim(late!, 'again', 7)).toBe(false);
    expect((await store.listEvents(0, 10, first)).at(-1)!.event).toMatchObject({
      type: 'run.message',
      message: 'Returned to queue q: its host is gone',
    });
  });

  it('that is discarded ends the run as failed with the reason, once', async () => {
    const run = await enqueue(store);
    const [mine] = await claim(store);
    expect(await store.queues.discardClaim(mine!, 'too late', 9)).toBe(true);
    expect(await store.findRun(run)).toMatchObject({
      status: 'failed',
      cause: 'engine',
      error: 'too late',
      finishedAt: 9,
    });
    expect(await store.queues.discardClaim(mine!, 'again', 9)).toBe(false);
    const late = { at: 10, event: { type: 'run.started', logDir: 'x' } as const };
    const { outcomes } = await store.append([{ runKey: run.key, epoch: mine!.epoch, events: [late] }]);
    expect(outcomes).toMatchObject([{ outcome: 'stale' }]);
    expect(await store.queues.findQueue('q')).toBeUndefined();
  });

  it('of an active run is neither released nor discarded', async () => {
    await enqueue(store);
    const [mine] = await claim(store);
    await begin(store, mine!);
    expect(await store.queues.returnClaim(mine!, 'x', 1)).toBe(false);
    expect(await store.queues.discardClaim(mine!, 'x', 1)).toBe(false);
  });
});

describeOnStores('queued run', () => {
  it('ends as aborted when it is dequeued or stopped', async () => {
    const [one, two, three] = [await enqueue(store), await enqueue(store), await enqueue(store)];
    await store.queues.dequeue(two, 'ann', 7);
    await store.requestStop(three, 'http', 8);
    expect(await store.queues.dequeueOldest('q', 'cid', 9)).toEqual({
      name: one.name,
      dagRunId: one.dagRunId,
    });
    expect(await store.queues.dequeueOldest('q', 'cid', 9)).toBeUndefined();
    const ends = await oneByOne([one, two, three], async (run) => (await store.findRun(run))!);
    expect(ends.map(({ status, error, stopRequestedBy }) => [status, error, stopRequestedBy])).toEqual([
      ['aborted', 'dequeued by cid', 'cid'],
      ['aborted', 'dequeued by ann', 'ann'],
      ['aborted', 'dequeued over HTTP', 'http'],
    ]);
    expect(await claim(store, 5)).toEqual([]);
  });

  it('is the only one that can be dequeued', async () => {
    const waiting = await enqueue(store);
    await claim(store);
    expect((await thrownBy(() => store.queues.dequeue(waiting, 'ann', 1))).message).toContain(
      'about to start',
    );
    const { run } = await createOwnedRun(store);
    expect((await thrownBy(() => store.queues.dequeue(run, 'ann', 1))).code).toBe('not_queued');
    expect((await thrownBy(() => store.queues.dequeue({ name: 'etl', dagRunId: 'no' }, 'ann', 1))).code).toBe(
      'not_found',
    );
  });

  it('is stopped through its host once it is claimed', async () => {
    const run = await enqueue(store);
    await claim(store);
    await store.requestStop(run, 'ann', 5);
    expect(await store.findRun(run)).toMatchObject({ status: 'queued', stopRequestedBy: 'ann' });
  });

  it('reports what it waits for', async () => {
    const [first, second, third] = [await enqueue(store), await enqueue(store), await enqueue(store)];
    expect(await reasonOf(first.key, 2)).toBe('queue q 0/2: next to start');
    const [claimed] = await claim(store);
    expect(await reasonOf(first.key)).toBe('queue q 1/1: about to start');
    await begin(store, claimed!);
    expect(await reasonOf(second.key)).toBe(`queue q 1/1: behind run etl ${first.dagRunId}`);
    expect(await reasonOf(third.key)).toBe(`queue q 1/1: behind 1 queued run, first etl ${second.dagRunId}`);
    expect(await store.queues.findWait(first.key, noLimits)).toBeUndefined();
    await store.queues.setQueueState('q', 'paused', 'ann', 1);
    expect(await reasonOf(second.key)).toBe('queue q is paused by ann');
  });

  it('names two of the runs before it', async () => {
    for (let index = 0; index < 4; index += 1) await enqueue(store);
    const last = await enqueue(store, { priority: -1 });
    for (const one of await claim(store, 3)) await begin(store, one);
    await store.queues.dequeueOldest('q', 'a test', 1);
    expect(await reasonOf(last.key, 3)).toMatch(
      /^queue q 3\/3: behind runs etl queued-\d+, etl queued-\d+ and 1 more$/,
    );
  });
});

describeOnStores('paused queue', () => {
  it('starts nothing, accepts new runs, and continues when it is resumed', async () => {
    await store.queues.setQueueState('q', 'paused', 'ann', 1);
    const version = await store.queues.queueVersion();
    const run = await enqueue(store);
    expect(await store.queues.listOpenQueues()).toEqual([]);
    expect(await claim(store)).toEqual([]);
    expect(await store.queues.findQueue('q')).toMatchObject({ state: 'paused', by: 'ann', waiting: 1 });
    await store.queues.setQueueState('q', 'open', 'bob', 2);
    expect(await store.queues.queueVersion()).not.toBe(version);
    expect(await store.queues.listOpenQueues()).toEqual(['q']);
    expect(idsOf(await claim(store))).toEqual(idsOf([run]));
  });
});

describeOnStores('lists', () => {
  it('contain every queue that is in use or not open', async () => {
    expect(await store.queues.listQueues()).toEqual([]);
    await enqueue(store, { maxActiveRuns: 4 });
    await createOwnedRun(store, { name: 'direct' });
    await store.queues.setQueueState('empty', 'draining', 'ann', 1);
    expect(await store.queues.listQueues()).toEqual([
      { name: 'direct', state: 'open', running: 1, waiting: 0 },
      { name: 'empty', state: 'draining', by: 'ann', running: 0, waiting: 0 },
      { name: 'q', state: 'open', running: 0, waiting: 1, headLimit: 4 },
    ]);
    expect(await store.queues.listQueueRuns('direct', 5)).toHaveLength(1);
  });

  it('page through items in start order', async () => {
    const runs = await oneByOne([0, 5, 0, 5, -1], (priority) => enqueue(store, { priority }));
    await claim(store);
    const order = [1, 3, 0, 2, 4].map((index) => runs[index]!.dagRunId);
    const seen: string[] = [];
    let after: { priority: number; key: number } | undefined;
    for (let page = 0; page < 5; page += 1) {
      const items = await store.queues.listQueueItems('q', { limit: 2, ...(after && { after }) });
      seen.push(...items.map(({ run }) => run.dagRunId));
      after = items.findLast(({ claimedAt }) => claimedAt === undefined);
      if (items.length < 2) break;
    }
    expect(seen).toEqual(order);
  });
});

describeOnStores('a run that is retried after its end', () => {
  it('counts in its queue again', async () => {
    const { run, write } = await createOwnedRun(store, { queue: 'q' });
    await write([{ type: 'run.finished', status: 'failed', outputs: {} }]);
    expect(await store.queues.findQueue('q')).toBeUndefined();
    await store.reopenRun({ runKey: run.key, epoch: 1, owner, by: 'ann', steps: [], maxActiveRuns: -1 }, 9);
    expect(await store.queues.findQueue('q')).toMatchObject({ running: 1 });
    expect(await store.queues.findRunQueue(run)).toBe('q');
  });
});

describeOnStores('hosts that process queues', () => {
  it('are known until they leave', async () => {
    await store.queues.setQueueHost(owner, true, 5);
    await store.queues.setQueueHost(owner, true, 6);
    expect(await store.queues.listQueueHosts()).toMatchObject([{ owner: { pid: 100 }, beatAt: 6 }]);
    await store.queues.setQueueHost(owner, false, 7);
    expect(await store.queues.listQueueHosts()).toEqual([]);
  });
});

describeOnStores('runs created together', () => {
  it('are stored in one transaction, and rejected individually', async () => {
    const given = [0, 1, 2].map((index) => ({
      ...describeRun({ dagRunId: `together-${index}` }),
      at: index,
    }));
    const [first, second, third] = await store.createRuns([given[0]!, given[0]!, given[2]!]);
    expect(first).toMatchObject({ dagRunId: 'together-0', createdAt: 0 });
    expect(second).toMatchObject({ code: 'already_exists' });
    expect(third).toMatchObject({ dagRunId: 'together-2', createdAt: 2 });
    expect(await store.listRuns({ limit: 10 })).toHaveLength(2);
  });
});
