import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nextTick } from '../../../core/base/clock.ts';
import type { StreamInput } from '../../../core/contract/operations.ts';
import type { SystemChangeView } from '../../../core/contract/system.ts';
import { openDispatch } from '../../../core/distributed/store/open-dispatch.ts';
import { homePaths } from '../../../core/home/config/home.ts';
import { until } from '../../harness/resources.ts';
import { TestEngine, testCaller } from '../../harness/engine.ts';

/** Interval of the checks for writes, in milliseconds. */
const pollMs = 250;

type Topic = StreamInput<'system.changes'>['topic'];

/** Follows one topic from the first item on. */
async function follow({ host }: TestEngine, topic: Topic) {
  const told: SystemChangeView[] = [];
  const ends: unknown[] = [];
  const observer = {
    item: (item: SystemChangeView) => told.push(item),
    end: (end: unknown) => ends.push(end),
  };
  const stop = host.api.follow('system.changes', { topic }, observer, testCaller);
  onTestFinished(stop);
  await until(() => told.length + ends.length > 0);
  return { told, ends, stop };
}

const enqueue = ({ host }: TestEngine, name: string) =>
  host.api.call(
    'runs.enqueue',
    { name, spec: 'steps: [{name: a, command: "true"}]', queue: 'slow' },
    testCaller,
  );

/** Lets time pass, one poll at a time. */
async function pass({ clock }: TestEngine, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += pollMs) {
    clock.advance(pollMs);
    await nextTick(clock);
  }
}

test('reports a queue changed by any host, and nothing else', async () => {
  const engine = new TestEngine();
  const other = new TestEngine({ home: engine.home, clock: engine.clock });
  await enqueue(engine, 'first');
  const second = await enqueue(engine, 'second');
  const { told, stop } = await follow(engine, 'queues');
  /** Number of items that arrive while time passes. */
  const heard = async (ms = 2000): Promise<number> => {
    const before = told.length;
    await pass(engine, ms);
    return told.length - before;
  };
  expect(told).toEqual([{ topic: 'queues' }]);
  expect(await heard(60_000)).toBe(0);
  await other.host.api.call('queues.pause', { queue: 'slow' }, testCaller);
  expect(await heard()).toBe(1);
  await other.host.api.call('queues.move', { queue: 'slow', ...second, position: 1 }, testCaller);
  expect(await heard()).toBe(1);
  await engine.host.api.call('runs.dequeue', second, testCaller);
  expect(await heard()).toBe(1);
  await engine.host.api.call('schedules.pause', {}, testCaller);
  expect(await heard()).toBe(0);
  stop();
  await engine.host.api.call('queues.resume', { queue: 'slow' }, testCaller);
  expect(await heard()).toBe(0);
});

test('reports work offered to workers by another process, and bursts once', async () => {
  const engine = new TestEngine();
  const store = openDispatch({ file: homePaths(engine.home).database }, engine.clock);
  onTestFinished(() => store.close());
  const { told } = await follow(engine, 'workers');
  expect(told).toEqual([{ topic: 'workers' }]);
  // The database of the work is opened meanwhile.
  await engine.host.api.call('workers.list', {}, testCaller);
  const { run, task } = { run: { name: 'etl', dagRunId: '1' }, task: { runKey: 1, priority: 0 } };
  const offered = { ...task, run, step: 'far', selector: { gpu: 'true' }, payload: '{}', attemptDir: '/x' };
  await store.offer([
    { ...offered, key: 'one' },
    { ...offered, key: 'two' },
  ]);
  await until(() => {
    engine.clock.advance(50);
    return told.length > 1;
  });
  engine.clock.advance(5000);
  expect(told).toEqual([{ topic: 'workers' }, { topic: 'workers' }]);
});

test('reports workflow files written by others, bursts once', async () => {
  const engine = new TestEngine();
  const { told } = await follow(engine, 'dags');
  expect(told).toEqual([{ topic: 'dags' }]);
  const folder = homePaths(engine.home).dags;
  mkdirSync(folder, { recursive: true });
  for (const name of ['one', 'two', 'three'])
    writeFileSync(path.join(folder, `${name}.yaml`), 'steps: [{name: a, command: "true"}]');
  await until(() => {
    engine.clock.advance(50);
    return told.length > 1;
  });
  engine.clock.advance(5000);
  expect(told).toEqual([{ topic: 'dags' }, { topic: 'dags' }]);
});

test('reports paused schedules and hosts that come and go, however often it polls', async () => {
  const engine = new TestEngine();
  const schedulers = [await follow(engine, 'schedulers'), await follow(engine, 'schedulers')];
  const hosts = await follow(engine, 'hosts');
  await engine.host.api.call('schedules.pause', {}, testCaller);
  await pass(engine, 2000);
  expect(schedulers.map(({ told }) => told.length)).toEqual([2, 2]);
  expect(hosts.told).toHaveLength(1);
  await engine.run('steps: [{name: a, command: "true"}]');
  await pass(engine, 2000);
  expect(hosts.told.length).toBeGreaterThan(1);
});

test('reports webhooks: created, pending deliveries, and receivers', async () => {
  const engine = new TestEngine();
  const { told } = await follow(engine, 'webhooks');
  const heard = async (): Promise<number> => {
    const before = told.length;
    await pass(engine, 2000);
    return told.length - before;
  };
  expect(await heard()).toBe(0);
  const call = engine.host.api.call.bind(engine.host.api);
  const webhook = { url: 'http://127.0.0.1:9/', options: { allowPrivate: true } };
  const { id } = await call('webhooks.create', webhook, testCaller);
  expect(await heard()).toBe(1);
  await call('webhooks.ping', { hookId: id }, testCaller);
  expect(await heard()).toBe(1);
  const receiver = { name: 'forge', scheme: 'bearer' as const, secrets: ['quiet'] };
  const { id: receiverId } = await call('receivers.create', receiver, testCaller);
  expect(await heard()).toBe(1);
  await call('receivers.update', { receiverId, active: false }, testCaller);
  expect(await heard()).toBe(1);
  await call('schedules.pause', {}, testCaller);
  await pass(engine, 2000);
  const before = told.length;
  await call('schedules.resume', {}, testCaller);
  await pass(engine, 60_000);
  expect(told).toHaveLength(before);
});

test('shares each resource reading, and stops when there are no subscribers', async () => {
  const engine = new TestEngine();
  expect((await follow(engine, 'load')).ends).toMatchObject([{ code: 'monitoring_off' }]);
  engine.host.monitorResources();
  const { told, ends } = await follow(engine, 'load');
  expect(told).toEqual([{ topic: 'load' }]);
  // Only once: a reading takes as long as the disk does, and the history covers the last hour.
  engine.clock.advance(5000);
  await until(() => told.length === 2);
  const { cpu, memory } = await engine.host.api.call('services.resourceHistory', {}, testCaller);
  const { timestamp } = memory[0]!;
  // Unknown when no tick has passed.
  const used = cpu.find((point) => point.timestamp === timestamp);
  expect(told[1]!.reading).toEqual({
    timestamp,
    ...(used && { cpu: used.value }),
    memory: memory[0]!.value,
    disk: expect.any(Number),
    ...(process.platform !== 'win32' && { load: expect.any(Number) }),
  });
  expect(ends).toEqual([]);
});
