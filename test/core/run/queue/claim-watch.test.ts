import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { timings } from '../../../../core/base/timings.ts';
import { HostMonitor, HostHeartbeat } from '../../../../core/run/hosts.ts';
import { ClaimWatch } from '../../../../core/run/queue/claim-watch.ts';
import { Dispatcher, type DispatcherOptions } from '../../../../core/run/queue/dispatcher.ts';
import { QueueLimits } from '../../../../core/run/queue/queues.ts';
import type { RunInput } from '../../../../core/run/run-input.ts';
import { EventHub } from '../../../../core/run/event-hub.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until, waitUntilPasses } from '../../../harness/resources.ts';
import { enqueue, owner } from '../../store/store-harness.ts';

const away = (): never => {
  throw new AppError('unavailable', 'the database is away');
};

/** A run that a host has claimed, and the watcher of the claim. */
async function open() {
  const store = openStore({ file: ':memory:' });
  onTestFinished(() => store.close());
  const clock = new FakeClock();
  const shared = { store, clock, logger: silentLogger };
  const host = new HostHeartbeat({ ...owner, id: 'own' }, shared.store, shared.clock, shared.logger);
  const hub = new EventHub(shared.store, shared.clock, shared.logger);
  const watch = new HostMonitor(host.owner, clock);
  const parts = {
    ...shared,
    host,
    hub,
    watch,
    active: { find: () => undefined },
    home: makeTemporaryFolder(),
  };
  const claims = new ClaimWatch(parts);
  const run = await enqueue(store);
  const [claim] = await store.queues.claimNext({ queue: 'q', max: 1, owner: host.owner }, clock.now());
  /** Polls once a second, as its host does. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1000);
      await claims.check();
    }
  };
  const openClaims = async (): Promise<number> => (await store.queues.listOpenClaims()).length;
  return { parts, store, clock, claims, run, claim: claim!, pass, openClaims };
}

test('releases a claim after an outage of the database', async () => {
  const { store, claims, run, claim, pass, openClaims } = await open();
  claims.track(claim);
  const giving = vi.spyOn(store.queues, 'returnClaim').mockImplementation(async () => away());
  await expect(claims.returnToQueue(claim, 'it was away')).rejects.toThrow('away');
  expect(await openClaims()).toBe(1);
  giving.mockRestore();
  await pass(1);
  expect(await openClaims()).toBe(0);
  expect(await store.findRun(run)).toMatchObject({ status: 'queued' });
});

test('releases a claim whose response was lost with the connection', async () => {
  const { store, run, pass, openClaims } = await open();
  await pass(1);
  expect(await openClaims()).toBe(0);
  expect(await store.findRun(run)).toMatchObject({ status: 'queued' });
});

test('excludes database outages from the activation window, and nothing else', async () => {
  const { store, clock, claims, run, claim, pass } = await open();
  claims.track(claim);
  const looking = vi.spyOn(store.queues, 'listOpenClaims').mockImplementation(async () => away());
  clock.advance(5 * timings.queueActivation);
  await expect(claims.check()).rejects.toThrow('away');
  looking.mockRestore();
  await pass(timings.queueActivation / 1000 - 3);
  expect(await store.findRun(run)).toMatchObject({ status: 'queued' });
  await pass(3);
  expect(await store.findRun(run)).toMatchObject({ status: 'failed' });
});

test('a database outage while a claimed run is started only ends that attempt', async () => {
  const { parts, store, clock, openClaims } = await open();
  const run = await enqueue(store, {}, { queue: 'other', name: 'other' });
  const reports: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => void reports.push(message) };
  const dispatcher = new Dispatcher({
    ...parts,
    logger,
    claims: new ClaimWatch({ ...parts, logger }),
    limits: new QueueLimits({ enabled: true, config: [] }),
    retention: { purge() {} },
  } as unknown as DispatcherOptions);
  const reading = vi.spyOn(store, 'getDetail').mockImplementation(away);
  const giving = vi.spyOn(store.queues, 'returnClaim').mockImplementation(async () => away());
  dispatcher.start();
  onTestFinished(() => dispatcher.close());
  await until(() => reports.length > 0);
  await until(() => reports.length > 1);
  expect(reports).toEqual(['Cannot start a run from its queue', 'Cannot return a run to its queue']);
  expect(await openClaims()).toBe(2);
  giving.mockRestore();
  clock.advance(1000);
  await waitUntilPasses(async () => expect(await openClaims()).toBe(0));
  expect(await store.findRun(run)).toMatchObject({ status: 'queued' });
  reading.mockRestore();
});

/** A dispatcher whose claims are stored at once and arrive when they are released. */
async function openSlowDispatcher() {
  const opened = await open();
  const { parts, store, claims, claim } = opened;
  await claims.returnToQueue(claim, 'a test');
  const execute = vi.fn<(run: RunInput) => void>();
  const arrival = Promise.withResolvers<void>();
  const { claimNext } = store.queues;
  const claiming = vi.spyOn(store.queues, 'claimNext').mockImplementation(async (...request) => {
    const claimed = await claimNext(...request);
    await arrival.promise;
    return claimed;
  });
  const dispatcher = new Dispatcher({
    ...parts,
    active: { ...parts.active, execute },
    claims,
    limits: new QueueLimits({ enabled: true, config: [{ name: 'q', maxConcurrency: 9 }] }),
    retention: { purge() {} },
  } as unknown as DispatcherOptions);
  dispatcher.start();
  onTestFinished(() => dispatcher.close());
  await until(() => claiming.mock.calls.length > 0);
  return { ...opened, dispatcher, execute, claiming, arrive: arrival.resolve };
}

test('does not return claims that are on their way, and claims no queue twice at once', async () => {
  const { clock, store, dispatcher, execute, claiming, openClaims, arrive } = await openSlowDispatcher();
  const returning = vi.spyOn(store.queues, 'returnClaim');
  await enqueue(store);
  dispatcher.checkAll();
  await clock.pass(5000);
  expect([await openClaims(), claiming.mock.calls.length]).toEqual([1, 1]);
  arrive();
  // The run that was queued meanwhile is claimed too.
  await until(() => execute.mock.calls.length === 2);
  expect(returning).not.toHaveBeenCalled();
});

test('returns claims that arrive after the dispatcher was closed, before it has closed', async () => {
  const { store, run, dispatcher, execute, openClaims, arrive } = await openSlowDispatcher();
  const closed = dispatcher.close();
  expect(await openClaims()).toBe(1);
  arrive();
  await closed;
  expect(await openClaims()).toBe(0);
  expect(await store.findRun(run)).toMatchObject({ status: 'queued' });
  expect(execute).not.toHaveBeenCalled();
});
