import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CoordinatorHarness, taskPath, type Answer, type Caller } from '../../../harness/coordinator.ts';

interface Hold {
  readonly key: string;
  readonly fence: number;
}

const putLog = (worker: Caller, hold: Hold, offset: number | string, text: string): Promise<Answer> =>
  worker.send(`${taskPath(hold)}/logs/stdout?offset=${offset}`, { method: 'PUT', body: Buffer.from(text) });

const artifact = (hold: Hold, name: string): string =>
  `${taskPath(hold)}/artifacts/${encodeURIComponent(name)}`;

const put = (worker: Caller, hold: Hold, name: string, body: Uint8Array): Promise<Answer> =>
  worker.send(artifact(hold, name), { method: 'PUT', body });

const get = (worker: Caller, hold: Hold, name: string): Promise<Answer> =>
  worker.send(artifact(hold, name), { method: 'GET' });

async function withTask(
  harness: CoordinatorHarness,
): Promise<{ worker: Caller; hold: Hold; attemptDir: string; run: string }> {
  const worker = await harness.worker();
  const [task] = await harness.offer();
  const hold = await worker.take();
  return { worker, hold, attemptDir: task!.attemptDir, run: path.dirname(task!.attemptDir) };
}

test('appends chunks of a log at their offset: skips known bytes, rejects gaps', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, attemptDir } = await withTask(harness);
  expect((await putLog(worker, hold, 0, 'hello ')).body).toEqual({ size: 6 });
  expect((await putLog(worker, hold, 6, 'world')).body).toEqual({ size: 11 });
  expect((await putLog(worker, hold, 0, 'hello ')).body).toEqual({ size: 11 });
  expect((await putLog(worker, hold, 8, 'rld\n')).body).toEqual({ size: 12 });
  expect(await putLog(worker, hold, 50, 'later')).toMatchObject({
    status: 409,
    body: { code: 'conflict', size: 12, message: expect.stringContaining('The log is 12 bytes') },
  });
  expect(await putLog(worker, hold, 12, '')).toMatchObject({ status: 200, body: { size: 12 } });
  expect(readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8')).toBe('hello world\n');
});

test('stores bytes unchanged', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, attemptDir } = await withTask(harness);
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
  await worker.send(`${taskPath(hold)}/logs/stderr?offset=0`, { method: 'PUT', body: bytes });
  expect(readFileSync(path.join(attemptDir, 'stderr.log')).equals(bytes)).toBe(true);
});

test('a worker cannot write about a task it has lost', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, attemptDir } = await withTask(harness);
  const gone = {
    status: 410,
    body: { code: 'gone', message: expect.stringContaining('is no longer assigned to this worker') },
  };
  expect(await putLog(worker, { ...hold, fence: hold.fence - 1 }, 0, 'x')).toMatchObject(gone);
  const other = await harness.worker('other');
  expect(await putLog(other, hold, 0, 'x')).toMatchObject(gone);
  await harness.store.abandon([hold.key], 'its host was told to');
  expect(await putLog(worker, hold, 0, 'x')).toMatchObject(gone);
  expect(await put(worker, hold, 'a.txt', Buffer.from('x'))).toMatchObject(gone);
  expect(await get(worker, hold, 'a.txt')).toMatchObject(gone);
  expect(existsSync(path.join(attemptDir, 'stdout.log'))).toBe(false);
});

test('rejects malformed paths', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold } = await withTask(harness);
  expect(await putLog(worker, hold, 'x', 'x')).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  expect(await putLog(worker, hold, '', 'x')).toMatchObject({ status: 400 });
  const other = await worker.send(`${taskPath(hold)}/logs/run?offset=0`, {
    method: 'PUT',
    body: Buffer.from('x'),
  });
  expect(other).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('Use stdout or stderr.') },
  });
});

test('stores no file for a task whose directory is not part of its run', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const elsewhere = path.join(harness.folder, 'elsewhere/load.1');
  await harness.offer(1, { attemptDir: elsewhere });
  const hold = await worker.take();
  expect(await putLog(worker, hold, 0, 'x')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('is not an attempt folder of this run') },
  });
  await harness.offer(1, { attemptDir: path.join(harness.folder, 'logs/etl/20260101T000000Z_run-2/load.1') });
  const next = await worker.take();
  expect((await put(worker, next, 'a', Buffer.from('x'))).status).toBe(400);
  expect(existsSync(elsewhere)).toBe(false);
});

test('never writes a log through a link', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, attemptDir } = await withTask(harness);
  const target = path.join(harness.folder, 'secret');
  symlinkSync(target, path.join(attemptDir, 'stdout.log'));
  expect(await putLog(worker, hold, 0, 'x')).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: expect.stringContaining('is a symbolic link') },
  });
  expect(existsSync(target)).toBe(false);
});

test('artifacts are uploaded by one attempt and downloaded by another', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, run } = await withTask(harness);
  const content = Buffer.from('id,name\n1,ä\n');
  const up = await put(worker, hold, 'out/größe & co.csv', content);
  expect(up).toMatchObject({
    status: 200,
    body: { bytes: content.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(readFileSync(path.join(run, 'artifacts/out/größe & co.csv')).equals(content)).toBe(true);
  await harness.offer();
  const next = await worker.take();
  const down = await get(worker, next, 'out/größe & co.csv');
  expect(down).toMatchObject({ status: 200, text: content.toString() });
  expect(down.headers['content-length']).toBe(String(content.length));
  expect((await put(worker, next, 'out/größe & co.csv', Buffer.from('new'))).body.bytes).toBe(3);
  expect((await get(worker, next, 'out/größe & co.csv')).text).toBe('new');
  expect((await put(worker, next, 'empty', Buffer.alloc(0))).body.bytes).toBe(0);
  expect(await get(worker, next, 'empty')).toMatchObject({ status: 200, text: '' });
  expect(await get(worker, next, 'none')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('an artifact may exceed the message size limit', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold } = await withTask(harness);
  const large = Buffer.alloc(20 * 1024 * 1024, 'q');
  expect((await put(worker, hold, 'large', large)).body.bytes).toBe(large.length);
  expect((await get(worker, hold, 'large')).text).toHaveLength(large.length);
});

test.each([
  '../stolen',
  'a/../../b',
  '/etc/passwd',
  'a//b',
  './a',
  'a/',
  'a/..',
  'C:/x',
  'a\\b',
  'nul\0',
  'line\nbreak',
  'x'.repeat(256),
  `${'d/'.repeat(512)}x`,
])('rejects the artifact name %j', async (name) => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, run } = await withTask(harness);
  const answer = await put(worker, hold, name, Buffer.from('x'));
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('bad_request');
  expect(existsSync(path.join(run, 'artifacts'))).toBe(false);
});

test('an artifact cannot leave the run directory through a link, nor be read through one', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold, run } = await withTask(harness);
  mkdirSync(path.join(run, 'artifacts'));
  symlinkSync(harness.folder, path.join(run, 'artifacts/out'));
  expect((await put(worker, hold, 'out/a', Buffer.from('x'))).body.message).toContain(
    'outside the folder of its run',
  );
  expect(existsSync(path.join(harness.folder, 'a'))).toBe(false);
  mkdirSync(path.join(harness.folder, 'sub'));
  expect((await get(worker, hold, 'out/sub')).status).toBe(404);
});

test('explains a name that is both file and directory', async () => {
  await using harness = await CoordinatorHarness.open();
  const { worker, hold } = await withTask(harness);
  await put(worker, hold, 'a', Buffer.from('x'));
  expect(await put(worker, hold, 'a/b', Buffer.from('x'))).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
});
