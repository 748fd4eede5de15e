import { expect, test } from 'vitest';
import { StartLimiter } from '../../../../core/run/steps/attempt.ts';
import { FakeClock } from '../../../harness/fakes.ts';

/** A clock whose event-loop ticks the test controls. */
function setUp(perTurn: number) {
  const soon: (() => void)[] = [];
  const clock = Object.assign(new FakeClock(), { soon: (callback: () => void) => void soon.push(callback) });
  const startLimiter = new StartLimiter(clock, perTurn);
  const passed: number[] = [];
  const acquire = (who: number): void => void startLimiter.acquire().then(() => passed.push(who));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const turn = async (): Promise<void> => {
    for (const callback of soon.splice(0)) callback();
    await settle();
  };
  return { acquire, passed, settle, turn, soon };
}

test('admits a limited number per tick, in order', async () => {
  const { acquire, passed, settle, turn, soon } = setUp(2);
  for (const who of [1, 2, 3, 4, 5]) acquire(who);
  await settle();
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4]);
  acquire(6);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4, 5, 6]);
  await turn();
  await turn();
  // Nothing is left to schedule ticks for.
  expect(soon).toEqual([]);
  acquire(7);
  await settle();
  expect(passed.at(-1)).toBe(7);
});

test('new callers do not overtake waiting ones', async () => {
  const { acquire, passed, settle, turn } = setUp(1);
  acquire(1);
  acquire(2);
  await turn();
  acquire(3);
  await settle();
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3]);
});
