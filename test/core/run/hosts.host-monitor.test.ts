import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { timings } from '../../../core/base/timings.ts';
import { HostMonitor, HostHeartbeat } from '../../../core/run/hosts.ts';
import type { HostRecord } from '../../../core/model/run.ts';
import { getCurrentProcess } from '../../../core/process/process-table.ts';
import { createStore } from '../../../core/store/open-store.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { createOwnedRun, openMemoryDatabase } from '../store/store-harness.ts';

const own = { ...getCurrentProcess(0), id: 'own' };
const record = (owner: Partial<HostRecord['owner']>, more: Partial<HostRecord> = {}): HostRecord => ({
  key: 1,
  kind: 'cli',
  owner: { ...own, id: 'other', ...owner },
  startedAt: 0,
  beatAt: 0,
  ...more,
});

test('detects an exited process, a rebooted machine and a host that left', () => {
  const watch = new HostMonitor(own, new FakeClock());
  expect(watch.findExpiry(record({ pidStart: '1' }))).toBe('the process has ended');
  expect(watch.findExpiry(record({ bootId: 'before' }))).toBe('the machine was restarted');
  expect(watch.findExpiry(record({}, { leftAt: 0 }))).toBe(
    'the host released its runs at 1970-01-01T00:00:00.000Z',
  );
  expect(watch.findExpiry(record({ id: 'own' }, { leftAt: 0 }))).toBeUndefined();
});

test('gives a possibly live host a full lease without heartbeats, also on another machine', () => {
  const clock = new FakeClock();
  const watch = new HostMonitor(own, clock);
  const elsewhere = record({ host: 'elsewhere', pidStart: '1' });
  expect(watch.findExpiry(elsewhere)).toBeUndefined();
  clock.advance(timings.hostLease);
  expect(watch.findExpiry(elsewhere)).toBeUndefined();
  expect(watch.findExpiry({ ...elsewhere, beatAt: 1 })).toBeUndefined();
  clock.advance(timings.hostLease);
  expect(watch.findExpiry({ ...elsewhere, beatAt: 1 })).toBeUndefined();
  clock.advance(1);
  expect(watch.findExpiry({ ...elsewhere, beatAt: 1 })).toBe('no heartbeat since 1970-01-01T00:00:00.001Z');
});

test('a host sends heartbeats while it is needed, and is deleted long after', async () => {
  const database = openMemoryDatabase();
  const store = createStore(database);
  const clock = new FakeClock(0);
  const host = new HostHeartbeat(own, store, clock, { info() {}, warn() {}, error() {} });
  const beats = () => database.all<{ beat_at: number }>("SELECT beat_at FROM host WHERE id = 'own'");
  const [first, second] = [host.keepAlive(), host.keepAlive()];
  clock.advance(timings.hostBeat);
  await tick();
  expect(beats()).toEqual([{ beat_at: timings.hostBeat }]);
  first();
  first();
  clock.advance(timings.hostBeat);
  await tick();
  expect(beats()).toEqual([{ beat_at: 2 * timings.hostBeat }]);
  second();
  clock.advance(10 * timings.hostBeat);
  expect(beats()).toEqual([{ beat_at: 2 * timings.hostBeat }]);
  await store.beat({ ...own, id: 'later' }, 3_600_000);
  expect(beats()).toEqual([]);
});

test('a host that owns a run is not deleted', async () => {
  const store = createStore(openMemoryDatabase());
  const { run } = await createOwnedRun(store);
  await store.beat({ ...own, id: 'later' }, 10 ** 10);
  expect(await store.findRunHost(run.key)).toMatchObject({ owner: { pid: 100 } });
});

test('a host reports its version and load', async () => {
  const store = createStore(openMemoryDatabase());
  const clock = new FakeClock(0);
  const owner = { ...own, version: '1.2.3' };
  const host = new HostHeartbeat(owner, store, clock, { info() {}, warn() {}, error() {} });
  const stop = host.keepAlive();
  clock.advance(timings.hostBeat);
  await tick();
  const isMeasured = process.platform !== 'win32';
  expect(await store.listHosts(1)).toMatchObject([
    { host: { owner: { version: '1.2.3' }, load: isMeasured ? expect.any(Number) : undefined } },
  ]);
  stop();
  await store.beat(owner, 10_000_000, 0.25);
  await store.beat(owner, 10_000_001);
  expect(await store.listHosts(1)).toMatchObject([{ host: { load: 0.25 } }]);
});
