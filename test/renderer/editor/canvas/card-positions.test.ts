import { expect, test } from 'vitest';
import { computeInitialLayout } from '../../../../renderer/editor/canvas/card-positions.ts';
import { FakeClock } from '../../../harness/fakes.ts';

const layout = (x: number) => ({ positions: new Map([['step:a', { x, y: 0 }]]), routes: new Map() });
const [quick, thorough] = [layout(1), layout(2)];

/** Opens a graph. @param timeoutMs how long it may stay empty */
function open(timeoutMs?: number) {
  const clock = new FakeClock();
  const made = Promise.withResolvers<typeof thorough>();
  const shown: unknown[] = [];
  const touch = { isTouched: false };
  computeInitialLayout({
    ...{ clock, timeoutMs, thorough: () => made.promise, quick: () => quick },
    show: (laid) => void shown.push(laid),
    hasNoInteraction: () => !touch.isTouched,
  });
  const finish = async (): Promise<void> => {
    made.resolve(thorough);
    await made.promise;
  };
  return { clock, made, shown, touch, finish };
}

test('uses only the full layout if it is ready soon', async () => {
  const { clock, shown, finish } = open(250);
  clock.advance(200);
  await finish();
  clock.advance(1000);
  expect(shown).toEqual([thorough]);
});

test('a slow full layout replaces the quick one, unless the user is working with that', async () => {
  const patient = open(250);
  patient.clock.advance(300);
  expect(patient.shown).toEqual([quick]);
  await patient.finish();
  expect(patient.shown).toEqual([quick, thorough]);
  const busy = open(250);
  busy.clock.advance(300);
  busy.touch.isTouched = true;
  await busy.finish();
  expect(busy.shown).toEqual([quick]);
});

test('a small graph waits for the full layout, and falls back to the quick one on failure', async () => {
  const small = open();
  small.clock.advance(10_000);
  expect(small.shown).toEqual([]);
  await small.finish();
  expect(small.shown).toEqual([thorough]);
  const broken = open(250);
  broken.made.reject(new Error('no worker'));
  await broken.made.promise.catch(() => undefined);
  await Promise.resolve();
  expect(broken.shown).toEqual([quick]);
});
