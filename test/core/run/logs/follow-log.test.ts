import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../../core/base/errors.ts';
import type { LogExtent } from '../../../../core/contract/logs.ts';
import { pollIntervalMs } from '../../../../core/run/logs/follow-text.ts';
import { LogReader } from '../../../../core/run/logs/log-reader.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { createTempLog } from '../run-harness.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

class Observer {
  readonly items: LogExtent[] = [];
  readonly ends: (ErrorBody | undefined)[] = [];
  item(extent: LogExtent): void {
    this.items.push(extent);
  }
  end(error?: ErrorBody): void {
    this.ends.push(error);
  }
}

function follow(file: string, options: { countedAtOnce?: number } = {}) {
  const clock = new FakeClock();
  const observer = new Observer();
  const state = { complete: false };
  const reader = new LogReader({ clock, ...options });
  const dispose = reader.follow(file, () => state.complete, observer);
  /** Lets the follower poll until the expected items have arrived. */
  const pollUntil = (check: () => void): Promise<void> =>
    waitUntilPasses(() => {
      clock.advance(pollIntervalMs);
      check();
    });
  return { clock, observer, state, reader, dispose, pollUntil };
}

test('reports the current extent at once, then each growth, and ends after a final poll', async () => {
  await using log = await createTempLog();
  const { clock, observer, state, pollUntil } = follow(log.file);
  await waitUntilPasses(() => expect(observer.items).toEqual([{ size: 0, totalLines: 0, complete: false }]));
  await log.append('one\ntw');
  await pollUntil(() => expect(observer.items.at(-1)).toEqual({ size: 6, totalLines: 2, complete: false }));
  await log.append('o\nthree\n');
  state.complete = true;
  await pollUntil(() => expect(observer.ends).toEqual([undefined]));
  expect(observer.items.at(-1)).toEqual({ size: 14, totalLines: 3, complete: true });
  expect(observer.items).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

test('reports a complete log once and ends', async () => {
  await using log = await createTempLog('done\n');
  const clock = new FakeClock();
  const observer = new Observer();
  new LogReader({ clock }).follow(log.file, () => true, observer);
  await waitUntilPasses(() => expect(observer.ends).toEqual([undefined]));
  expect(observer.items).toEqual([{ size: 5, totalLines: 1, complete: true }]);
});

test('a complete log that is still being counted ends with the exact number', async () => {
  await using log = await createTempLog('twelve bytes\n'.repeat(50_000));
  const clock = new FakeClock();
  const observer = new Observer();
  new LogReader({ clock, countedAtOnce: 1000 }).follow(log.file, () => true, observer);
  await waitUntilPasses(() => {
    clock.advance(pollIntervalMs);
    expect(observer.ends).toEqual([undefined]);
  });
  expect(observer.items[0]!.estimated).toBe(true);
  expect(observer.items.at(-1)).toEqual({ size: 650_000, totalLines: 50_000, complete: true });
});

test('an unsubscribed listener receives nothing more and leaves no timer', async () => {
  await using log = await createTempLog('a\n');
  const { clock, observer, dispose } = follow(log.file);
  dispose();
  dispose();
  await log.append('b\n');
  clock.advance(10 * pollIntervalMs);
  await new Promise(setImmediate);
  expect(observer.items).toEqual([]);
  expect(observer.ends).toEqual([]);
  expect(clock.pending).toBe(0);
});

test('closing the reader ends every follower with a reason', async () => {
  await using log = await createTempLog('a\n');
  const { clock, observer, reader } = follow(log.file);
  reader.close();
  expect(observer.ends).toMatchObject([{ code: 'unavailable' }]);
  expect(clock.pending).toBe(0);
});

test('errors reach the observer', async () => {
  await using log = await createTempLog('a\n');
  const clock = new FakeClock();
  const observer = new Observer();
  const failing = (): boolean => {
    throw new Error('the run has gone');
  };
  new LogReader({ clock }).follow(log.file, failing, observer);
  expect(observer.ends).toMatchObject([{ code: 'internal_error' }]);
  expect(clock.pending).toBe(0);
});
