import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Site, commandStep, taskOf } from './site.ts';

/** Shell text that tells in a log that it has begun, and waits. */
const wait = 'trap "echo bye; exit 7" TERM; echo begun; while :; do sleep 0.02; done';

/** Waits until the step has said that it has begun. */
async function untilBegun(site: Site, key: string): Promise<void> {
  await expect.poll(() => site.log(key)).toContain('begun');
}

test('a stop reaches the step at once, by the request for work that is open, and its end is told', async () => {
  const site = await Site.open();
  await site.startWorker();
  const key = await site.offer(taskOf(commandStep(wait)));
  await untilBegun(site, key);

  await site.store.cancel([key], 'stop');

  await expect(site.resultOf(key)).resolves.toMatchObject({ exitCode: 7 });
  await expect(site.log(key)).resolves.toBe('begun\nbye\n');
});

test('a kill reaches a step that minds no signal, also when all slots are taken', async () => {
  const site = await Site.open({ leaseMs: 900 });
  await site.startWorker({ slots: 1 });
  const key = await site.offer(taskOf(commandStep('trap "" TERM; echo begun; while :; do sleep 0.02; done')));
  await untilBegun(site, key);

  await site.store.cancel([key], 'kill');

  await expect(site.resultOf(key)).resolves.toMatchObject({ signal: 'SIGKILL' });
});

test('what is taken away is killed, nothing of it is told, and its files are kept', async () => {
  const site = await Site.open({ leaseMs: 900 });
  const { folder, lines } = await site.startWorker();
  const key = await site.offer(taskOf(commandStep(wait.replace('echo bye', 'echo bye > bye'))));
  await untilBegun(site, key);

  await site.store.abandon([key], 'for the test');

  await expect.poll(() => lines.has('not this worker’s any more')).toBe(true);
  await expect.poll(() => readdirSync(path.join(folder, 'tasks'))).toEqual([]);
  const [name] = readdirSync(path.join(folder, 'lost'));
  expect(existsSync(path.join(folder, 'lost', name!, 'attempt', 'stdout.log'))).toBe(true);
  expect(existsSync(path.join(folder, 'lost', name!, 'work', 'bye'))).toBe(false);
  await expect(site.find(key)).resolves.toMatchObject({ state: 'lost' });
  expect((await site.store.facts()).staleRefused).toBe(0);
});

test('drained, it finishes what it has, takes nothing new, and leaves', async () => {
  const site = await Site.open();
  const { worker, ended, joined } = await site.startWorker({ id: 'w1' });
  const key = await site.offer(taskOf(commandStep('echo begun; sleep 0.3')));
  await joined;
  await untilBegun(site, key);

  worker.drain();
  const late = await site.offer(taskOf(commandStep('echo never')));
  await ended;

  await expect(site.resultOf(key)).resolves.toMatchObject({ exitCode: 0 });
  await expect(site.find(late)).resolves.toMatchObject({ state: 'ready' });
  const [left] = await site.store.listWorkers();
  expect(left?.state ?? 'gone').toBe('gone');
});

test('drained before anybody could be reached, it ends at once and in peace', async () => {
  const site = await Site.open();
  const { worker, ended, lines } = await site.startWorker({ coordinators: ['http://127.0.0.1:1'] });
  await expect.poll(() => lines.has('cannot be reached')).toBe(true);

  worker.drain();

  await expect(ended).resolves.toBeUndefined();
  expect(worker.tasks).toBe(0);
});

test('told to end its steps, it stops them and tells that', async () => {
  const site = await Site.open();
  const { worker, ended } = await site.startWorker();
  const key = await site.offer(taskOf(commandStep(wait)));
  await untilBegun(site, key);

  worker.drain();
  worker.stopSteps('stop');
  await ended;

  await expect(site.resultOf(key)).resolves.toMatchObject({
    exitCode: 7,
    error: 'the worker was stopped before the step ended',
  });
});

test('by the wish of a person it takes nothing new, and then again', async () => {
  const site = await Site.open({ leaseMs: 600 });
  const { joined, lines } = await site.startWorker({ id: 'w1' });
  await joined;
  await site.store.setDraining('w1', true);
  await expect.poll(() => lines.has('Draining: accepting no new tasks')).toBe(true);
  const key = await site.offer(taskOf(commandStep('true')));
  await expect(site.find(key)).resolves.toMatchObject({ state: 'ready' });

  await site.store.setDraining('w1', false);

  await expect(site.resultOf(key)).resolves.toMatchObject({ exitCode: 0 });
});
