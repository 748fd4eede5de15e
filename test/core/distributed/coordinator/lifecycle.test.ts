import { Agent as PlainAgent } from 'node:http';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { until } from '../../../harness/resources.ts';
import { ask, CoordinatorHarness, type Caller } from '../../../harness/coordinator.ts';

test('a worker moves between coordinators over one database and keeps its tasks', async () => {
  await using harness = await CoordinatorHarness.open();
  const second = await harness.start();
  expect(await harness.store.listCoordinators()).toHaveLength(2);
  const worker = await harness.worker();
  worker.url = harness.first.url;
  await harness.offer();
  const { body } = await worker.claim();
  const { key, fence } = body.tasks[0];
  worker.url = second.url;
  expect((await worker.post('/begin', { holds: [{ key, fence }] })).body).toEqual({ own: [key] });
  worker.url = harness.first.url;
  const log = (offset: number, text: string): ReturnType<Caller['send']> =>
    worker.send(`/tasks/${key}/${fence}/logs/stdout?offset=${offset}`, {
      method: 'PUT',
      body: Buffer.from(text),
    });
  expect((await log(0, 'one ')).body).toEqual({ size: 4 });
  worker.url = second.url;
  expect((await log(4, 'two')).body).toEqual({ size: 7 });
  await harness.first.close();
  const settled = await worker.post('/settle', { results: [{ key, fence, result: '{}' }] });
  expect(settled.body).toEqual({ outcomes: ['settled'] });
  expect(await harness.store.listCoordinators()).toMatchObject([{ url: second.url, isAlive: true }]);
});

test('any coordinator that a worker polls finds offered work', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const second = await harness.start();
  const other = await harness.worker('w2');
  worker.url = harness.first.url;
  other.url = second.url;
  const answers = [worker.claim(1, 30_000), other.claim(1, 30_000)];
  await until(() => harness.running.every((running) => running.waiting() === 1));
  await harness.offer(2);
  const tasks = (await Promise.all(answers)).flatMap(({ body }) => body.tasks as { key: string }[]);
  expect(tasks.map(({ key }) => key).sort()).toEqual(['1.step.load.1', '1.step.load.2']);
});

test('a coordinator that shuts down ends waiting polls, answers requests in progress, and accepts nothing new', async () => {
  await using harness = await CoordinatorHarness.open();
  const [waiting, busy] = [await harness.worker('waiting'), await harness.worker('busy')];
  const poll = waiting.claim(1, 30_000);
  await until(() => harness.running[0]!.waiting() === 1);
  const release = harness.holdNextClaim();
  await harness.offer(1, { selector: { busy: 'yes' } });
  await busy.join({ labels: { busy: 'yes' } });
  const under = busy.claim(1, 30_000);
  await until(() => harness.isHeld());
  const closing = harness.first.close();
  expect((await poll).body).toEqual({ tasks: [], cancel: [], isDraining: false });
  // The worker whose claim was in progress is sent away, too; its claimed task is released.
  expect((await under).body.tasks).toEqual([]);
  release();
  await closing;
  await until(() => harness.calls.get('release') === 1);
  expect(await harness.store.stats()).toMatchObject({ ready: 1, claimed: 0 });
  await expect(waiting.post('/beat', { running: [] })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const reaped = harness.calls.get('reap');
  harness.clock.advance(10_000);
  expect(harness.calls.get('reap')).toBe(reaped);
  expect(await harness.store.listCoordinators()).toEqual([]);
});

test('redirects a request on a connection that is open during shutdown', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.offer();
  const release = harness.holdNextClaim();
  const agent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
  worker.agent = agent;
  const poll = worker.claim(1, 30_000);
  await until(() => harness.isHeld());
  // Sent when the poll has been answered, on its connection.
  const late = worker.post('/beat', { running: [] }).catch(({ code }: NodeJS.ErrnoException) => ({ code }));
  const closing = harness.first.close();
  expect((await poll).body.tasks).toEqual([]);
  release();
  const refused = {
    status: 503,
    body: { code: 'unavailable', message: expect.stringContaining('stopping') },
  };
  expect([
    expect.objectContaining({ code: 'ECONNREFUSED' }),
    expect.objectContaining(refused),
  ]).toContainEqual(await late);
  await closing;
});

test('health reports database and shutdown; metrics count', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.offer(3);
  await worker.take();
  const health = await ask(`${harness.first.url}/health`, { method: 'GET' });
  expect(health).toMatchObject({
    status: 200,
    body: {
      status: 'healthy',
      version: '9.9.9',
      database: { status: 'healthy', tasks: { ready: 2, running: 1 } },
    },
  });
  const metrics = await ask(`${harness.first.url}/metrics`, { method: 'GET' });
  expect(metrics.text).toContain('stepwright_coordinator_tasks{state="ready"} 2');
  expect(metrics.text).toContain('stepwright_coordinator_waiting_workers 0');
  harness.fail(new AppError('unavailable', 'the database is away'));
  expect(await ask(`${harness.first.url}/health`, { method: 'GET' })).toMatchObject({
    status: 503,
    body: { status: 'unhealthy', database: { status: 'unhealthy', reason: 'the database is away' } },
  });
  expect(await worker.claim(1, 1000)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { code: 'unavailable' },
  });
  expect(await worker.post('/beat', { running: [] })).toMatchObject({ status: 503 });
  harness.clock.advance(1000);
  await until(() => harness.lines.has('maintenance is delayed: the database is away'));
  harness.fail(undefined);
  await harness.pass(1);
  expect(harness.lines.has('the database is available again')).toBe(true);
  expect((await worker.post('/beat', { running: [] })).status).toBe(200);
});

test('a coordinator does not start when its database is down', async () => {
  const harness = await CoordinatorHarness.open();
  harness.fail(new AppError('unavailable', 'the database is away'));
  await expect(harness.start()).rejects.toMatchObject({ code: 'unavailable' });
  harness.fail(undefined);
  await harness[Symbol.asyncDispose]();
});

test('rejects excess load with a retry delay', async () => {
  await using harness = await CoordinatorHarness.open({ connections: 5 });
  const worker = await harness.worker();
  worker.agent.destroy();
  const agents = Array.from({ length: 6 }, () => new PlainAgent({ keepAlive: true }));
  const answers = await Promise.all(
    agents.map((agent) => ask(`${harness.first.url}/health`, { method: 'GET', agent })),
  );
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
  for (const agent of agents) agent.destroy();
});

test('five hundred waiting workers cost one or two statements a second', async () => {
  await using harness = await CoordinatorHarness.open();
  const secret = await harness.token();
  const workers = await Promise.all(
    Array.from({ length: 500 }, (_, number) => harness.join(`w${number}`, secret)),
  );
  const answers = workers.map((worker) => worker.claim(1, 30_000));
  await until(() => harness.running[0]!.waiting() === 500);
  // The work that came with the last of them has been done.
  await harness.pass(1);
  const before = harness.calls.get('claim')!;
  await harness.pass(5);
  expect(harness.calls.get('claim')! - before).toBeLessThanOrEqual(10);
  const [task] = await harness.offer();
  const first = await Promise.race(answers);
  expect(first.body.tasks).toMatchObject([{ key: task!.key }]);
  harness.clock.advance(30_000);
  const others = await Promise.all(answers);
  expect(others.filter(({ body }) => body.tasks.length > 0)).toHaveLength(1);
  for (const worker of workers) worker.agent.destroy();
}, 60_000);
