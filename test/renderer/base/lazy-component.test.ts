import { expect, test } from 'vitest';
import { loadChunk } from '../../../renderer/base/lazy-component.ts';
import { FakeClock } from '../../harness/fakes.ts';

/** Runs pending timers and promises. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test('a chunk that failed to load is requested again, after a delay', async () => {
  const clock = new FakeClock();
  const answers = [new TypeError('Failed to fetch'), new TypeError('Failed to fetch'), 'the part'];
  let asked = 0;
  const load = (): Promise<unknown> => {
    const answer = answers[asked];
    asked += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const part = loadChunk(load, clock);
  await pass(clock, 0);
  expect(asked).toBe(1);
  await pass(clock, 250);
  expect(asked).toBe(2);
  await pass(clock, 999);
  expect(asked).toBe(2);
  await pass(clock, 1);
  expect(await part).toBe('the part');
  expect(clock.pending).toBe(0);
});

test('a chunk that cannot be loaded reports the last error', async () => {
  const clock = new FakeClock();
  let asked = 0;
  const part = loadChunk(() => {
    asked += 1;
    return Promise.reject(new TypeError(`refusal ${asked}`));
  }, clock).catch(String);
  for (const wait of [0, 250, 1000, 3000]) await pass(clock, wait);
  expect(await part).toBe('TypeError: refusal 4');
});
