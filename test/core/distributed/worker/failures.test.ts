import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { AppError } from '../../../../core/base/errors.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { Cluster, commandStep, getTask } from '../../../harness/cluster.ts';

test('reports an unusable directory as a task failure, certain that nothing ran, and the worker continues', async () => {
  const workers = await Cluster.open();
  const { folder, joined } = await workers.startWorker();
  await joined;
  const tasks = path.join(folder, 'tasks');
  rmSync(tasks, { recursive: true });
  writeFileSync(tasks, 'in the way');
  const refused = await workers.offer(getTask(commandStep('echo never')));

  const { unstarted, error } = await workers.getResult(refused);

  expect(unstarted).toBe(true);
  expect(error).toContain(tasks);
  rmSync(tasks);
  mkdirSync(tasks);
  const next = await workers.offer(getTask(commandStep('echo fine')));
  await expect(workers.getResult(next)).resolves.toMatchObject({ exitCode: 0 });
});

test('rejects a directory that is not writable or belongs to another worker at startup', async () => {
  const workers = await Cluster.open();
  const { folder } = await workers.startWorker();
  await expect(workers.startWorker({ folder })).rejects.toThrow(
    `The folder ${folder} is in use by another worker`,
  );

  const file = path.join(makeTemporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(workers.startWorker({ folder: path.join(file, 'worker') })).rejects.toThrow(
    /Cannot write to the worker folder .* Use another folder with --work-dir/,
  );
});

test('generates an id once and stores it; an explicit id replaces it', async () => {
  const workers = await Cluster.open();
  const folder = makeTemporaryFolder();
  const first = await workers.startWorker({ folder });
  const id = await first.joined;
  first.worker.drain();
  await first.ended;
  first.worker.close();
  expect(readFileSync(path.join(folder, 'id'), 'utf8').trim()).toBe(id);

  const second = await workers.startWorker({ folder });
  await expect(second.joined).resolves.toBe(id);
  second.worker.drain();
  await second.ended;
  second.worker.close();

  const third = await workers.startWorker({ folder, id: 'gpu-1' });
  await expect(third.joined).resolves.toBe('gpu-1');
});

test.each([
  [{ coordinators: [] }, /No coordinator specified\. Use --coordinator URL\./],
  [{ coordinators: ['box:8190'] }, /Invalid coordinator URL "box:8190"/],
  [{ coordinators: ['http://box.example:8190'] }, /Use https for coordinators on other machines/],
  [{ id: 'a b' }, /Invalid worker ID "a b"/],
  [{ tokenFile: '/nowhere/token', token: undefined }, /Cannot read the token file \/nowhere\/token/],
  [{ tokenFile: '/nowhere/token' }, /Options --token and --token-file cannot be used together/],
  [{ tls: { ca: '/nowhere/ca.crt' } }, /Cannot read \/nowhere\/ca\.crt \(--tls-ca\)/],
])('rejects %j at startup', async (options, message) => {
  const workers = await Cluster.open();

  await expect(workers.startWorker(options)).rejects.toThrow(message);
});

test('a token that every coordinator rejects ends the worker with advice', async () => {
  const workers = await Cluster.open();
  const { ended } = await workers.startWorker({ token: 'swj_wrong' });

  const error = await ended.catch((cause: unknown) => cause as AppError);

  expect(error).toMatchObject({ code: 'unauthorized' });
  expect((error as AppError).message).toContain(
    'rejects this worker: Invalid, revoked or expired join token',
  );
  expect((error as AppError).details?.['hint']).toContain('--token-file');
});

test('the credential from a coordinator is readable by its owner only, and sufficient without the token', async () => {
  const workers = await Cluster.open();
  const folder = makeTemporaryFolder();
  const first = await workers.startWorker({ folder });
  await first.joined;
  first.worker.abandon();
  await first.ended.catch(() => {});
  first.worker.close();
  const { statSync } = await import('node:fs');
  expect(statSync(path.join(folder, 'key')).mode & 0o777).toBe(0o600);
  await workers.store.removeJoinToken('token-1');

  const second = await workers.startWorker({ folder, token: undefined });

  await expect(second.joined).resolves.toBeDefined();
  chmodSync(folder, 0o700);
});
