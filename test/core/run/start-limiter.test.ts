import { expect, test } from 'vitest';
import { StartLimiter } from '../../../core/run/start-limiter.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

/** A clock whose event-loop ticks the test controls. */
function setUp(perTurn: number) {
  const soon: (() => void)[] = [];
  const clock = Object.assign(new FakeClock(), { soon: (callback: () => void) => void soon.push(callback) });
  const startLimiter = new StartLimiter(clock, perTurn);
  const passed: number[] = [];
  const pass = (who: number): void => void startLimiter.pass().then(() => passed.push(who));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const turn = async (): Promise<void> => {
    for (const callback of soon.splice(0)) callback();
    await settle();
  };
  return { pass, passed, settle, turn, soon };
}

test('admits a limited number per tick, in order', async () => {
  const { pass, passed, settle, turn, soon } = setUp(2);
  for (const who of [1, 2, 3, 4, 5]) pass(who);
  await settle();
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4]);
  pass(6);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4, 5, 6]);
  await turn();
  await turn();
  // Nothing is left to schedule ticks for.
  expect(soon).toEqual([]);
  pass(7);
  await settle();
  expect(passed.at(-1)).toBe(7);
});

test('new callers do not overtake waiting ones', async () => {
  const { pass, passed, settle, turn } = setUp(1);
  pass(1);
  pass(2);
  await turn();
  pass(3);
  await settle();
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3]);
});
