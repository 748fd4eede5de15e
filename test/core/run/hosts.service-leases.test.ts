import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTick } from '../../../core/base/clock.ts';
import { timings } from '../../../core/base/timings.ts';
import { HostHeartbeat, ServiceLeases } from '../../../core/run/hosts.ts';
import { getCurrentProcess } from '../../../core/process/process-table.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { makeDatabasePath } from '../store/store-harness.ts';

const logger = { info() {}, warn() {}, error() {} };

/** Hosts of one home that compete for the same service. */
function openHosts() {
  const clock = new FakeClock();
  const file = makeDatabasePath();
  /** Hosts that have read who holds a service, in order. */
  const readers: string[] = [];
  const open = (id: string, pid = process.pid) => {
    const store = openStore({ file });
    const { findService } = store;
    vi.spyOn(store, 'findService').mockImplementation((name) => {
      readers.push(id);
      return findService(name);
    });
    onTestFinished(() => store.close());
    const own = getCurrentProcess(clock.now());
    const owner = {
      ...own,
      id,
      kind: 'scheduler' as const,
      ...(pid === process.pid ? {} : { pid, pidStart: '1' }),
    };
    return new ServiceLeases(store, clock, new HostHeartbeat(owner, store, clock, logger));
  };
  return { clock, open, readers };
}

test('one host holds a service at a time, until it releases it', async () => {
  const { open } = openHosts();
  const [first, second] = [open('a'), open('b')];
  expect(await first.acquire('scheduler')).toBe(1);
  expect(await first.acquire('scheduler')).toBeUndefined();
  expect(await second.acquire('scheduler')).toBeUndefined();
  expect(await second.acquire('other')).toBe(1);
  await first.release('scheduler', 1);
  expect(await second.acquire('scheduler')).toBe(2);
});

test('a host asks for a service of another one after commits, and when its lease ends', async () => {
  const { clock, open, readers } = openHosts();
  const [first, second] = [open('a'), open('b')];
  await first.acquire('scheduler');
  for (let count = 0; count < 3; count += 1) expect(await second.acquire('scheduler')).toBeUndefined();
  expect(readers).toEqual(['a', 'b']);
  clock.advance(timings.hostBeat - 1);
  expect(await second.acquire('scheduler')).toBeUndefined();
  expect(readers).toHaveLength(2);
  clock.advance(timings.serviceLease);
  expect(await second.acquire('scheduler')).toBe(2);
  await second.release('scheduler', 2);
  expect(await first.acquire('scheduler')).toBe(3);
});

test('a holder keeps the lease by renewing, else loses it and is notified', async () => {
  const { clock, open } = openHosts();
  const [first, second] = [open('a'), open('b')];
  await first.acquire('scheduler');
  clock.advance(7000);
  expect(await first.renew('scheduler', 1)).toBe(true);
  clock.advance(7000);
  expect(await second.acquire('scheduler')).toBeUndefined();
  clock.advance(2000);
  expect(await second.acquire('scheduler')).toBe(2);
  expect(await first.renew('scheduler', 1)).toBe(false);
  await first.release('scheduler', 1);
  expect(await second.renew('scheduler', 2)).toBe(true);
});

test('the service of a dead process is free at once', async () => {
  const { open } = openHosts();
  // No process has this id.
  await open('gone', 2 ** 22 + 1).acquire('scheduler');
  expect(await open('b').acquire('scheduler')).toBe(2);
});

test('a clock that was set back does not extend it', async () => {
  const { clock, open } = openHosts();
  await open('a').acquire('scheduler');
  clock.jumpTo(clock.now() - 3_600_000);
  expect(await open('b').acquire('scheduler')).toBe(2);
});

test('a host writes one heartbeat at a time, and releases its runs after the last one', async () => {
  const clock = new FakeClock();
  const calls: string[] = [];
  const beat = Promise.withResolvers<void>();
  const store = {
    beat: () => {
      calls.push('beat');
      return beat.promise;
    },
    leaveRuns: async () => void calls.push('left'),
  };
  const heartbeat = new HostHeartbeat(getCurrentProcess(clock.now()), store, clock, logger);
  heartbeat.keepAlive();
  clock.advance(2 * timings.hostBeat);
  const left = heartbeat.leaveRuns();
  await nextTick(clock);
  expect(calls).toEqual(['beat']);
  beat.resolve();
  await left;
  expect(calls).toEqual(['beat', 'left']);
});
