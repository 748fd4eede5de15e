import { describe, expect, test } from 'vitest';
import { Batcher, CoalescedTask } from '../../../core/base/turns.ts';
import { FakeClock } from '../../harness/fakes.ts';

describe('a coalesced task', () => {
  /** A task whose runs the test ends. */
  function setUp() {
    const ends: ((error?: Error) => void)[] = [];
    const task = new CoalescedTask(
      new FakeClock(),
      () =>
        new Promise((resolve, reject) => {
          ends.push((error) => (error === undefined ? resolve() : reject(error)));
        }),
    );
    return { task, ends };
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  test('runs once more for all requests during a run', async () => {
    const { task, ends } = setUp();
    let isSettled = false;
    const settled = task.request().then(() => (isSettled = true));
    void task.request();
    task.requestSoon();
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await turn();
    expect({ runs: ends.length, isSettled }).toEqual({ runs: 2, isSettled: false });
    ends[1]!();
    await settled;
    await task.settled();
    expect(ends).toHaveLength(2);
  });

  test('runs once for all requests of a tick', async () => {
    const { task, ends } = setUp();
    task.requestSoon();
    task.requestSoon();
    expect(ends).toHaveLength(0);
    await turn();
    expect(ends).toHaveLength(1);
  });

  test('can run again after a failure', async () => {
    const { task, ends } = setUp();
    const failed = task.request();
    ends[0]!(new Error('not now'));
    await expect(failed).rejects.toThrow('not now');
    const succeeded = task.request();
    ends[1]!();
    await succeeded;
  });
});

describe('a batcher', () => {
  test('settles each item with its own result', async () => {
    const batches: (readonly number[])[] = [];
    const batcher = new Batcher<number, string>(new FakeClock(), async (items) => {
      batches.push(items);
      return items.map((item) => (item < 0 ? new Error(`${item} is negative`) : `${item}`));
    });
    const results = await Promise.allSettled([1, -2, 3].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, -2, 3]]);
  });

  test('rejects all items of a failed batch, and no others', async () => {
    const batcher = new Batcher<number, number>(
      new FakeClock(),
      async (items) => {
        if (items.includes(1)) throw new Error('the disk is full');
        return items;
      },
      () => 2,
    );
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
