import { expect, onTestFinished, test } from 'vitest';
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
  const open = (id: string, pid = process.pid) => {
    const store = openStore({ file });
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
  return { clock, open };
}

test('one host holds a service at a time, until it releases it', () => {
  const { open } = openHosts();
  const [first, second] = [open('a'), open('b')];
  expect(first.acquire('scheduler')).toBe(1);
  expect(first.acquire('scheduler')).toBeUndefined();
  expect(second.acquire('scheduler')).toBeUndefined();
  expect(second.acquire('other')).toBe(1);
  first.release('scheduler', 1);
  expect(second.acquire('scheduler')).toBe(2);
});

test('a holder keeps the lease by renewing, else loses it and is notified', () => {
  const { clock, open } = openHosts();
  const [first, second] = [open('a'), open('b')];
  first.acquire('scheduler');
  clock.advance(7000);
  expect(first.renew('scheduler', 1)).toBe(true);
  clock.advance(7000);
  expect(second.acquire('scheduler')).toBeUndefined();
  clock.advance(2000);
  expect(second.acquire('scheduler')).toBe(2);
  expect(first.renew('scheduler', 1)).toBe(false);
  first.release('scheduler', 1);
  expect(second.renew('scheduler', 2)).toBe(true);
});

test('the service of a dead process is free at once', () => {
  const { open } = openHosts();
  // No process has this id.
  open('gone', 2 ** 22 + 1).acquire('scheduler');
  expect(open('b').acquire('scheduler')).toBe(2);
});

test('a clock that was set back does not extend it', () => {
  const { clock, open } = openHosts();
  open('a').acquire('scheduler');
  clock.jumpTo(clock.now() - 3_600_000);
  expect(open('b').acquire('scheduler')).toBe(2);
});
