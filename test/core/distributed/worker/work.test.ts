import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Cluster, commandStep, getTask } from '../../../harness/cluster.ts';

test('a worker joins, runs a command and reports its result, with complete logs', async () => {
  const workers = await Cluster.open();
  const { joined, folder } = await workers.startWorker({ id: 'w1' });
  await expect(joined).resolves.toBe('w1');
  const step = commandStep('echo hello; echo oops >&2; exit 3', { output: 'RESULT' });
  const key = await workers.offer(getTask(step));

  const result = await workers.getResult(key);

  expect(result).toMatchObject({
    exitCode: 3,
    captured: 'hello',
    logs: { stdout: 6, stderr: 5 },
    artifacts: [],
  });
  expect(result.error).toBe('exit code 3: oops');
  await expect(workers.log(key)).resolves.toBe('hello\n');
  await expect(workers.log(key, 'stderr')).resolves.toBe('oops\n');
  await expect.poll(() => readdirSync(path.join(folder, 'tasks'))).toEqual([]);
});

test('confirms a task before starting anything of it', async () => {
  const workers = await Cluster.open();
  await workers.startWorker();
  const key = await workers.offer(getTask(commandStep('sleep 30')));

  const { begunAt, worker } = await workers.untilState(key, 'running');

  expect(begunAt).toBeDefined();
  expect(worker?.epoch).toBe(1);
});

test('claims no more tasks than there are slots', async () => {
  const workers = await Cluster.open();
  const { folder } = await workers.startWorker({ slots: 2 });
  const latch = path.join(folder, 'go');
  const wait = getTask(commandStep(`while [ ! -e ${latch} ]; do sleep 0.02; done`));
  const keys = [await workers.offer(wait), await workers.offer(wait), await workers.offer(wait)];
  await workers.untilState(keys[1]!, 'running');

  const { ready, claimed, running } = await workers.store.stats();

  expect({ ready, claimed, running }).toEqual({ ready: 1, claimed: 0, running: 2 });
  await import('node:fs').then(({ writeFileSync }) => writeFileSync(latch, ''));
  for (const key of keys) await workers.getResult(key);
  expect(existsSync(latch)).toBe(true);
});
