import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Site, commandStep, taskOf } from './site.ts';

test('a worker joins, does a command and tells how it ended, with its logs complete', async () => {
  const site = await Site.open();
  const { joined, folder } = await site.startWorker({ id: 'w1' });
  await expect(joined).resolves.toBe('w1');
  const step = commandStep('echo hello; echo oops >&2; exit 3', { output: 'RESULT' });
  const key = await site.offer(taskOf(step));

  const result = await site.resultOf(key);

  expect(result).toMatchObject({
    exitCode: 3,
    captured: 'hello',
    logs: { stdout: 6, stderr: 5 },
    artifacts: [],
  });
  expect(result.error).toBe('exit code 3: oops');
  await expect(site.log(key)).resolves.toBe('hello\n');
  await expect(site.log(key, 'stderr')).resolves.toBe('oops\n');
  await expect.poll(() => readdirSync(path.join(folder, 'tasks'))).toEqual([]);
});

test('a task is confirmed before anything of it starts', async () => {
  const site = await Site.open();
  await site.startWorker();
  const key = await site.offer(taskOf(commandStep('sleep 30')));

  const { begunAt, worker } = await site.untilState(key, 'running');

  expect(begunAt).toBeDefined();
  expect(worker?.epoch).toBe(1);
});

test('no more tasks are claimed than there are slots', async () => {
  const site = await Site.open();
  const { folder } = await site.startWorker({ slots: 2 });
  const gate = path.join(folder, 'go');
  const wait = taskOf(commandStep(`while [ ! -e ${gate} ]; do sleep 0.02; done`));
  const keys = [await site.offer(wait), await site.offer(wait), await site.offer(wait)];
  await site.untilState(keys[1]!, 'running');

  const { ready, claimed, running } = await site.store.facts();

  expect({ ready, claimed, running }).toEqual({ ready: 1, claimed: 0, running: 2 });
  await import('node:fs').then(({ writeFileSync }) => writeFileSync(gate, ''));
  for (const key of keys) await site.resultOf(key);
  expect(existsSync(gate)).toBe(true);
});
