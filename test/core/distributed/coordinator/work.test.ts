import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../../harness/resources.ts';
import { CoordinatorHarness, taskPath, type Caller } from '../../../harness/coordinator.ts';

test('a worker joins by a token, claims, confirms, logs, sends heartbeats and completes', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  expect((await worker.join()).body).toMatchObject({ protocol: 1, leaseMs: 30_000, beatMs: 5000, lost: [] });
  const [task] = await harness.offer();
  const { body: claimed } = await worker.claim();
  expect(claimed).toEqual({
    tasks: [{ key: task!.key, fence: 1, payload: task!.payload }],
    cancel: [],
    isDraining: false,
  });
  const hold = { key: task!.key, fence: 1 };
  expect((await worker.post('/begin', { holds: [hold] })).body).toEqual({ own: [task!.key] });
  const log = await worker.send(`${taskPath(hold)}/logs/stdout?offset=0`, {
    method: 'PUT',
    body: Buffer.from('hello\n'),
  });
  expect(log.body).toEqual({ size: 6 });
  expect(readFileSync(path.join(task!.attemptDir, 'stdout.log'), 'utf8')).toBe('hello\n');
  const beat = await worker.post('/beat', { running: [hold], load: 0.5, freeBytes: 1e9 });
  expect(beat.body).toEqual({ isUnknown: false, lost: [], cancel: [], isDraining: false });
  const result = JSON.stringify({ exitCode: 0 });
  const settled = await worker.post('/settle', { results: [{ ...hold, result }] });
  expect(settled.body).toEqual({ outcomes: ['settled'] });
  const again = await worker.post('/settle', { results: [{ ...hold, result }] });
  expect(again.body).toEqual({ outcomes: ['again'] });
  expect(await harness.store.find([task!.key])).toMatchObject([{ state: 'settled', result }]);
  expect((await worker.post('/leave')).status).toBe(204);
});

test('a poll waits until work is offered', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const answer = worker.claim(1, 30_000);
  await until(() => harness.calls.get('claim') === 1);
  const [task] = await harness.offer();
  expect((await answer).body.tasks).toMatchObject([{ key: task!.key }]);
});

test('a poll ends empty when it times out', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const answer = worker.claim(1, 5000);
  await until(() => harness.calls.get('claim') === 1);
  harness.clock.advance(5000);
  expect((await answer).body).toEqual({ tasks: [], cancel: [], isDraining: false });
});

test('waiting polls share statements, and each gets as much as it has room for', async () => {
  await using harness = await CoordinatorHarness.open();
  const workers: Caller[] = [];
  for (let number = 0; number < 20; number += 1) workers.push(await harness.worker(`w${number}`));
  const answers = workers.map((worker) => worker.claim(2, 30_000));
  await until(() => (harness.calls.get('claim') ?? 0) > 0 && harness.running[0]!.waiting() === 20);
  const before = harness.calls.get('claim')!;
  await harness.offer(40);
  const tasks = (await Promise.all(answers)).flatMap(({ body }) => body.tasks as { key: string }[]);
  expect(new Set(tasks.map(({ key }) => key)).size).toBe(40);
  expect(harness.calls.get('claim')! - before).toBeLessThanOrEqual(2);
});

test('only workers with the labels get a task', async () => {
  await using harness = await CoordinatorHarness.open();
  const [plain, gpu] = [await harness.worker('plain', { labels: {} }), await harness.worker('gpu')];
  const waits = plain.claim(1, 1000);
  await until(() => harness.running[0]!.waiting() === 1);
  const [task] = await harness.offer(1, { selector: { gpu: 'true' } });
  expect((await gpu.claim()).body.tasks).toMatchObject([{ key: task!.key }]);
  harness.clock.advance(1000);
  expect((await waits).body.tasks).toEqual([]);
});

test('releases a task at once when the poll that claimed it is closed', async () => {
  await using harness = await CoordinatorHarness.open();
  const [gone, other] = [await harness.worker('gone'), await harness.worker('other')];
  const controller = new AbortController();
  const broken = gone.claim(1, 30_000, { signal: controller.signal }).catch(() => 'broken');
  await until(() => harness.running[0]!.waiting() === 1);
  // Claimed while the connection breaks: the store's response comes too late.
  const release = harness.holdNextClaim();
  const [offered] = await harness.offer();
  await until(() => harness.isHeld());
  controller.abort();
  await broken;
  await until(() => harness.running[0]!.waiting() === 0);
  release();
  await until(() => harness.calls.get('release') === 1);
  const { body } = await other.claim(1, 30_000);
  expect(body.tasks).toMatchObject([{ key: offered!.key, fence: 3 }]);
});

test('a second poll of a worker replaces the first', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const first = worker.claim(1, 30_000);
  await until(() => harness.running[0]!.waiting() === 1);
  const second = worker.claim(1, 30_000);
  expect((await first).body.tasks).toEqual([]);
  await harness.offer();
  expect((await second).body.tasks).toHaveLength(1);
});

test('notifies a waiting worker at once of tasks to cancel', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.offer();
  const { key } = await worker.take();
  const answer = worker.claim(1, 30_000);
  await until(() => harness.running[0]!.waiting() === 1);
  await harness.store.cancel([key], 'stop');
  expect((await answer).body).toMatchObject({ tasks: [], cancel: [{ key, how: 'stop' }] });
  // A worker without room waits for such news only, which is also polled each second.
  const full = worker.claim(0, 30_000);
  await until(() => harness.running[0]!.waiting() === 1);
  await harness.pass(1);
  expect((await full).body).toMatchObject({ cancel: [{ key, how: 'stop' }] });
});

test('batches heartbeats and results for the database', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const tasks = await harness.offer(40);
  const { body } = await worker.claim(40);
  expect(body.tasks).toHaveLength(4);
  const holds = body.tasks.map(({ key, fence }: { key: string; fence: number }) => ({ key, fence }));
  await worker.post('/begin', { holds });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => worker.post('/beat', { running: holds })),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(harness.calls.get('beat')).toBeLessThan(40);
  const results = holds.map((hold: object) => ({ ...hold, result: '{}' }));
  expect((await worker.post('/settle', { results })).body.outcomes).toEqual(Array(4).fill('settled'));
  expect(harness.calls.get('settle')).toBe(1);
  expect(tasks).toHaveLength(40);
});

test('a worker of an old epoch gets nothing, and its results are stale', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.offer();
  const hold = await worker.take();
  const epoch = worker.epoch;
  await worker.join();
  expect(worker.epoch).toBe(epoch + 1);
  worker.epoch = epoch;
  expect((await worker.post('/beat', { running: [hold] })).body).toMatchObject({ isUnknown: true });
  expect((await worker.post('/settle', { results: [{ ...hold, result: '{}' }] })).body.outcomes).toEqual([
    'stale',
  ]);
  await harness.offer();
  expect((await worker.claim()).body.tasks).toEqual([]);
});

test('work of a silent worker is lost after its lease', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.offer();
  const hold = await worker.take();
  // No lease ends before the coordinator has been up for the length of a lease.
  await harness.pass(65);
  expect(await harness.store.find([hold.key])).toMatchObject([{ state: 'lost' }]);
  expect(harness.lines.has('1 tasks were lost because their workers stopped responding')).toBe(true);
});

test('heartbeats and polls tell a worker that it is draining, and it gets nothing', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.store.setDraining('w1', true);
  expect((await worker.post('/beat', { running: [] })).body.isDraining).toBe(true);
  await harness.offer();
  expect((await worker.claim()).body).toEqual({ tasks: [], cancel: [], isDraining: true });
});
