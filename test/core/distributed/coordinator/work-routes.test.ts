import { expect, test } from 'vitest';
import { Batcher } from '../../../../core/distributed/coordinator/work-routes.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { until } from '../../../harness/resources.ts';

const limits = { max: 3, waiting: 5, delayMs: 3 };

test('batches concurrent calls and calls that arrive meanwhile, one batch at a time', async () => {
  const clock = new FakeClock();
  const calls: (readonly number[])[] = [];
  const gates: (() => void)[] = [];
  const batches = new Batcher<number, number>(
    async (items) => {
      calls.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((item) => item * 2);
    },
    { limits, clock },
  );
  const first = [1, 2].map((item) => batches.add(item));
  clock.advance(limits.delayMs);
  await until(() => gates.length === 1);
  const later = [3, 4, 5, 6].map((item) => batches.add(item));
  gates[0]!();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await until(() => gates.length === 2);
  gates[1]!();
  await until(() => gates.length === 3);
  gates[2]!();
  expect(await Promise.all(later)).toEqual([6, 8, 10, 12]);
  expect(calls).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('rejects calls beyond the queue limit with a retry', async () => {
  const clock = new FakeClock();
  const batches = new Batcher<number, number>(async (items) => items, { limits, clock });
  const taken = [1, 2, 3, 4, 5].map((item) => batches.add(item));
  await expect(batches.add(6)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 1 } });
  clock.advance(limits.delayMs);
  expect(await Promise.all(taken)).toEqual([1, 2, 3, 4, 5]);
});

test('rejects the whole batch with its error, and continues with the next', async () => {
  const clock = new FakeClock();
  let isBroken = true;
  const batches = new Batcher<number, number>(
    async (items) => {
      if (isBroken) throw new Error('the database is away');
      return items;
    },
    { limits, clock },
  );
  const broken = Promise.allSettled([batches.add(1), batches.add(2)]);
  clock.advance(limits.delayMs);
  expect((await broken).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  const next = batches.add(3);
  clock.advance(limits.delayMs);
  expect(await next).toBe(3);
});
