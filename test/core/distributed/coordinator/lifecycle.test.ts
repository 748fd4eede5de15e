import { Agent as PlainAgent } from 'node:http';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { until } from '../../../rig/until.ts';
import { ask, House, type Caller } from './house.ts';

test('a worker moves between coordinators over one database and goes on with what it has', async () => {
  await using house = await House.open();
  const second = await house.start();
  expect(await house.store.listCoordinators()).toHaveLength(2);
  const worker = await house.worker();
  worker.url = house.first.url;
  await house.offer();
  const { body } = await worker.claim();
  const { key, fence } = body.tasks[0];
  worker.url = second.url;
  expect((await worker.post('/begin', { holds: [{ key, fence }] })).body).toEqual({ own: [key] });
  worker.url = house.first.url;
  const log = (offset: number, text: string): ReturnType<Caller['send']> =>
    worker.send(`/tasks/${key}/${fence}/logs/stdout?offset=${offset}`, {
      method: 'PUT',
      body: Buffer.from(text),
    });
  expect((await log(0, 'one ')).body).toEqual({ size: 4 });
  worker.url = second.url;
  expect((await log(4, 'two')).body).toEqual({ size: 7 });
  await house.first.close();
  const settled = await worker.post('/settle', { results: [{ key, fence, result: '{}' }] });
  expect(settled.body).toEqual({ outcomes: ['settled'] });
  expect(await house.store.listCoordinators()).toMatchObject([{ url: second.url, isAlive: true }]);
});

test('work that is offered is found by whichever coordinator its worker waits at', async () => {
  await using house = await House.open();
  const worker = await house.worker();
  const second = await house.start();
  const other = await house.worker('w2');
  worker.url = house.first.url;
  other.url = second.url;
  const answers = [worker.claim(1, 30_000), other.claim(1, 30_000)];
  await until(() => house.running.every((running) => running.waiting() === 1));
  await house.offer(2);
  const tasks = (await Promise.all(answers)).flatMap(({ body }) => body.tasks as { key: string }[]);
  expect(tasks.map(({ key }) => key).sort()).toEqual(['1.step.load.1', '1.step.load.2']);
});

test('a coordinator that ends sends those away that wait, answers what is under way, and takes nothing new', async () => {
  await using house = await House.open();
  const [waiting, busy] = [await house.worker('waiting'), await house.worker('busy')];
  const poll = waiting.claim(1, 30_000);
  await until(() => house.running[0]!.waiting() === 1);
  const release = house.holdNextClaim();
  await house.offer(1, { selector: { busy: 'yes' } });
  await busy.join({ labels: { busy: 'yes' } });
  const under = busy.claim(1, 30_000);
  await until(() => house.isHeld());
  const closing = house.first.close();
  expect((await poll).body).toEqual({ tasks: [], cancel: [], isDraining: false });
  // The one whose claim was under way is sent away, too; what was claimed for it goes back.
  expect((await under).body.tasks).toEqual([]);
  release();
  await closing;
  await until(() => house.calls.get('handBack') === 1);
  expect(await house.store.facts()).toMatchObject({ ready: 1, claimed: 0 });
  await expect(waiting.post('/beat', { running: [] })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const reaped = house.calls.get('reap');
  house.clock.advance(10_000);
  expect(house.calls.get('reap')).toBe(reaped);
  expect(await house.store.listCoordinators()).toEqual([]);
});

test('on a connection that is open while it ends a request is told to go elsewhere', async () => {
  await using house = await House.open();
  const worker = await house.worker();
  await house.offer();
  const release = house.holdNextClaim();
  const agent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
  worker.agent = agent;
  const poll = worker.claim(1, 30_000);
  await until(() => house.isHeld());
  // Sent when the poll has been answered, on its connection.
  const late = worker.post('/beat', { running: [] }).catch(({ code }: NodeJS.ErrnoException) => ({ code }));
  const closing = house.first.close();
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

test('health tells of the database and of the end; metrics count', async () => {
  await using house = await House.open();
  const worker = await house.worker();
  await house.offer(3);
  await worker.take();
  const health = await ask(`${house.first.url}/health`, { method: 'GET' });
  expect(health).toMatchObject({
    status: 200,
    body: {
      status: 'healthy',
      version: '9.9.9',
      database: { status: 'healthy', tasks: { ready: 2, running: 1 } },
    },
  });
  const metrics = await ask(`${house.first.url}/metrics`, { method: 'GET' });
  expect(metrics.text).toContain('stepwright_coordinator_tasks{state="ready"} 2');
  expect(metrics.text).toContain('stepwright_coordinator_waiting_workers 0');
  house.fail(new AppError('unavailable', 'the database is away'));
  expect(await ask(`${house.first.url}/health`, { method: 'GET' })).toMatchObject({
    status: 503,
    body: { status: 'unhealthy', database: { status: 'unhealthy', reason: 'the database is away' } },
  });
  expect(await worker.claim(1, 1000)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { code: 'unavailable' },
  });
  expect(await worker.post('/beat', { running: [] })).toMatchObject({ status: 503 });
  house.clock.advance(1000);
  await until(() => house.lines.all.includes('maintenance is waiting: the database is away'));
  house.fail(undefined);
  await house.pass(1);
  expect(house.lines.all).toContain('the database is available again');
  expect((await worker.post('/beat', { running: [] })).status).toBe(200);
});

test('a coordinator whose database is away does not start', async () => {
  const house = await House.open();
  house.fail(new AppError('unavailable', 'the database is away'));
  await expect(house.start()).rejects.toMatchObject({ code: 'unavailable' });
  house.fail(undefined);
  await house[Symbol.asyncDispose]();
});

test('too much at once is turned away with a time to come back', async () => {
  await using house = await House.open({ connections: 5 });
  const worker = await house.worker();
  worker.agent.destroy();
  const agents = Array.from({ length: 6 }, () => new PlainAgent({ keepAlive: true }));
  const answers = await Promise.all(
    agents.map((agent) => ask(`${house.first.url}/health`, { method: 'GET', agent })),
  );
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
  for (const agent of agents) agent.destroy();
});

test('five hundred workers that wait cost a statement or two each second', async () => {
  await using house = await House.open();
  const secret = await house.token();
  const workers = await Promise.all(
    Array.from({ length: 500 }, (_, number) => house.join(`w${number}`, secret)),
  );
  const answers = workers.map((worker) => worker.claim(1, 30_000));
  await until(() => house.running[0]!.waiting() === 500);
  // What came with the last of them has been done.
  await house.pass(1);
  const before = house.calls.get('claim')!;
  await house.pass(5);
  expect(house.calls.get('claim')! - before).toBeLessThanOrEqual(10);
  const [task] = await house.offer();
  const first = await Promise.race(answers);
  expect(first.body.tasks).toMatchObject([{ key: task!.key }]);
  house.clock.advance(30_000);
  const others = await Promise.all(answers);
  expect(others.filter(({ body }) => body.tasks.length > 0)).toHaveLength(1);
  for (const worker of workers) worker.agent.destroy();
}, 60_000);
