import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Cluster, commandStep, getTask } from '../../../harness/cluster.ts';

/** Shell text that logs that it has started, and waits. */
const wait = 'trap "echo bye; exit 7" TERM; echo begun; while :; do sleep 0.02; done';

/** Waits until the step has logged that it has started. */
async function untilStarted(workers: Cluster, key: string): Promise<void> {
  await expect.poll(() => workers.log(key)).toContain('begun');
}

test('a stop reaches the step at once through the open poll, and its result is reported', async () => {
  const workers = await Cluster.open();
  await workers.startWorker();
  const key = await workers.offer(getTask(commandStep(wait)));
  await untilStarted(workers, key);

  await workers.store.cancel([key], 'stop');

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 7 });
  await expect(workers.log(key)).resolves.toBe('begun\nbye\n');
});

test('a kill reaches a step that ignores signals, also when all slots are taken', async () => {
  const workers = await Cluster.open({ leaseMs: 900 });
  await workers.startWorker({ slots: 1 });
  const key = await workers.offer(
    getTask(commandStep('trap "" TERM; echo begun; while :; do sleep 0.02; done')),
  );
  await untilStarted(workers, key);

  await workers.store.cancel([key], 'kill');

  await expect(workers.getResult(key)).resolves.toMatchObject({ signal: 'SIGKILL' });
});

test('kills a task that was taken away, reports nothing of it, and retains its files', async () => {
  const workers = await Cluster.open({ leaseMs: 900 });
  const { folder, lines } = await workers.startWorker();
  const key = await workers.offer(getTask(commandStep(wait.replace('echo bye', 'echo bye > bye'))));
  await untilStarted(workers, key);

  await workers.store.abandon([key], 'for the test');

  await expect
    .poll(() => lines.has('A task is no longer assigned to this worker and was stopped'))
    .toBe(true);
  await expect.poll(() => readdirSync(path.join(folder, 'tasks'))).toEqual([]);
  const [name] = readdirSync(path.join(folder, 'lost'));
  expect(existsSync(path.join(folder, 'lost', name!, 'attempt', 'stdout.log'))).toBe(true);
  expect(existsSync(path.join(folder, 'lost', name!, 'work', 'bye'))).toBe(false);
  await expect(workers.find(key)).resolves.toMatchObject({ state: 'lost' });
  expect((await workers.store.stats()).staleRefused).toBe(0);
});

test('when drained, it finishes its tasks, accepts nothing new, and leaves', async () => {
  const workers = await Cluster.open();
  const { worker, ended, joined } = await workers.startWorker({ id: 'w1' });
  const key = await workers.offer(getTask(commandStep('echo begun; sleep 0.3')));
  await joined;
  await untilStarted(workers, key);

  worker.drain();
  const late = await workers.offer(getTask(commandStep('echo never')));
  await ended;

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 0 });
  await expect(workers.find(late)).resolves.toMatchObject({ state: 'ready' });
  const [left] = await workers.store.listWorkers();
  expect(left?.state ?? 'gone').toBe('gone');
});

test('when drained before any coordinator was reachable, it exits at once without error', async () => {
  const workers = await Cluster.open();
  const { worker, ended, lines } = await workers.startWorker({ coordinators: ['http://127.0.0.1:1'] });
  await expect.poll(() => lines.has('Cannot reach a coordinator')).toBe(true);

  worker.drain();

  await expect(ended).resolves.toBeUndefined();
  expect(worker.tasks).toBe(0);
});

test('when asked to stop its steps, it stops them and reports that', async () => {
  const workers = await Cluster.open();
  const { worker, ended } = await workers.startWorker();
  const key = await workers.offer(getTask(commandStep(wait)));
  await untilStarted(workers, key);

  worker.drain();
  worker.stopSteps('stop');
  await ended;

  await expect(workers.getResult(key)).resolves.toMatchObject({
    exitCode: 7,
    error: 'the worker was stopped before the step ended',
  });
});

test('a worker that an operator drains accepts nothing new until it is resumed', async () => {
  const workers = await Cluster.open({ leaseMs: 600 });
  const { joined, lines } = await workers.startWorker({ id: 'w1' });
  await joined;
  await workers.store.setDraining('w1', true);
  await expect.poll(() => lines.has('Draining: accepting no new tasks')).toBe(true);
  const key = await workers.offer(getTask(commandStep('true')));
  await expect(workers.find(key)).resolves.toMatchObject({ state: 'ready' });

  await workers.store.setDraining('w1', false);

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 0 });
});
