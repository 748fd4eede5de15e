import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Bucket } from '../../../../core/distributed/files/bucket.ts';
import type { TaskFiles } from '../../../../core/run/remote/task-files.ts';
import { openTaskFiles } from '../../../../core/distributed/files/open-task-files.ts';
import { missingForObjects, ObjectServer } from '../../../harness/servers/object-server.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const lack = missingForObjects === undefined ? '' : ` (missing here: ${missingForObjects})`;

describe.skipIf(missingForObjects !== undefined)(`bucket of a real S3 server${lack}`, () => {
  let server: ObjectServer;
  let runs = 0;

  beforeAll(async () => {
    server = await ObjectServer.start('work');
  }, 180_000);
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
  });
  afterAll(async () => {
    await server?.close();
  });

  const open = (prefix = 'stepwright'): Promise<TaskFiles> =>
    openTaskFiles({ url: server.url('work', prefix) });
  const newRun = (): string => {
    runs += 1;
    return path.join(makeTemporaryFolder(), 'etl', `20260101T000000Z_run-${runs}`);
  };

  test('logs grow by chunks, and arrive in the attempt directory chunk by chunk', async () => {
    const files = await open();
    const attemptDir = path.join(newRun(), 'load.1');
    const local = (): string => readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8');
    expect(await files.appendLog(attemptDir, 'stdout', 0, Buffer.from('one\n'))).toEqual({ size: 4 });
    await files.mirrorLogs(attemptDir);
    expect(local()).toBe('one\n');
    expect(await files.appendLog(attemptDir, 'stdout', 4, Buffer.from('two\n'))).toEqual({ size: 8 });
    expect(await files.appendLog(attemptDir, 'stdout', 2, Buffer.from('e\ntwo\nthree\n'))).toEqual({
      size: 14,
    });
    await files.mirrorLogs(attemptDir);
    expect(local()).toBe('one\ntwo\nthree\n');
    expect(await files.logSize(attemptDir, 'stdout')).toBe(14);
    expect(await files.logSize(attemptDir, 'stderr')).toBe(0);
    // A lost directory is restored from the bucket.
    rmSync(attemptDir, { recursive: true });
    await files.mirrorLogs(attemptDir);
    expect(local()).toBe('one\ntwo\nthree\n');
  });

  test('merges the chunks of an ended log into one object, even while it is read', async () => {
    const [files, reader] = [await open(), await open()];
    const attemptDir = path.join(newRun(), 'load.1');
    const other = path.join(makeTemporaryFolder(), ...attemptDir.split(path.sep).slice(-3));
    const getKeys = async () =>
      (
        await new Bucket(server.url('work', 'stepwright')).list(
          `etl/${path.basename(path.dirname(attemptDir))}/`,
        )
      ).map(({ key }) => key.split('/').slice(4).join('/'));
    await files.sealLogs(attemptDir);
    await files.appendLog(attemptDir, 'stdout', 0, Buffer.from('aaaa'));
    await files.appendLog(attemptDir, 'stdout', 4, Buffer.from('bbbb'));
    await (await open()).appendLog(attemptDir, 'stdout', 2, Buffer.from('aabbbbcc'));
    await reader.mirrorLogs(other);
    await files.appendLog(attemptDir, 'stdout', 10, Buffer.from('dd'));
    await files.appendLog(attemptDir, 'stderr', 0, Buffer.from('alone'));
    await files.sealLogs(attemptDir);
    await files.sealLogs(attemptDir);
    expect(await getKeys()).toEqual([`stderr/${'0'.repeat(16)}-5`, `stdout/${'0'.repeat(16)}-12`]);
    expect(await files.logSize(attemptDir, 'stdout')).toBe(12);
    await reader.mirrorLogs(other);
    await files.mirrorLogs(attemptDir);
    for (const folder of [other, attemptDir])
      expect(readFileSync(path.join(folder, 'stdout.log'), 'utf8')).toBe('aaaabbbbccdd');
    // Late data is stored after it.
    expect(await files.appendLog(attemptDir, 'stdout', 12, Buffer.from('ee'))).toEqual({ size: 14 });
    await reader.mirrorLogs(other);
    expect(readFileSync(path.join(other, 'stdout.log'), 'utf8')).toBe('aaaabbbbccddee');
  });

  test('rejects a chunk that leaves a gap, with the current size', async () => {
    const files = await open();
    const attemptDir = path.join(newRun(), 'load.1');
    await files.appendLog(attemptDir, 'stderr', 0, Buffer.from('12345'));
    expect(await files.appendLog(attemptDir, 'stderr', 9, Buffer.from('x'))).toEqual({ size: 5 });
    expect(await files.appendLog(attemptDir, 'stderr', 100, Buffer.alloc(0))).toEqual({ size: 5 });
  });

  test('two coordinators append to one log alternately', async () => {
    const [one, other] = [await open(), await open()];
    const attemptDir = path.join(newRun(), 'load.1');
    await one.appendLog(attemptDir, 'stdout', 0, Buffer.from('aaaa'));
    expect(await other.appendLog(attemptDir, 'stdout', 4, Buffer.from('bbbb'))).toEqual({ size: 8 });
    // The response to that was lost; the first one knows of 4 bytes only.
    expect(await one.appendLog(attemptDir, 'stdout', 4, Buffer.from('bbbbcc'))).toEqual({ size: 10 });
    expect(await other.logSize(attemptDir, 'stdout')).toBe(10);
    await other.mirrorLogs(attemptDir);
    expect(readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8')).toBe('aaaabbbbcc');
  });

  test('does not fetch or overwrite files the host already has', async () => {
    const files = await open();
    const attemptDir = path.join(newRun(), 'load.1');
    await files.appendLog(attemptDir, 'stdout', 0, Buffer.from('first'));
    await files.mirrorLogs(attemptDir);
    appendFileSync(path.join(attemptDir, 'stdout.log'), ' by hand');
    await files.mirrorLogs(attemptDir);
    expect(readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8')).toBe('first by hand');
  });

  test('uploads and downloads artifacts of any name and size, and deletes them with their run', async () => {
    const files = await open();
    const [run, neighbour] = [newRun(), newRun()];
    const large = Buffer.alloc(11 * 1024 * 1024, 'q');
    const put = await files.putArtifact(run, 'out/größe & co.csv', Readable.from([Buffer.from('1,2\n')]));
    expect(put).toEqual({
      bytes: 4,
      sha256: '52186c933993da4082b3cdc7c40bb4bf735b391ff54a2ef78c037dda6c38a680',
    });
    expect(await files.putArtifact(run, 'large.bin', Readable.from([large]))).toMatchObject({
      bytes: large.length,
    });
    await files.putArtifact(run, 'empty', Readable.from([]));
    await files.putArtifact(neighbour, 'kept', Readable.from([Buffer.from('x')]));
    expect(await files.listArtifacts(run)).toMatchObject([
      { name: 'empty', bytes: 0 },
      { name: 'large.bin', bytes: large.length },
      { name: 'out/größe & co.csv', bytes: 4 },
    ]);
    const found = await files.getArtifact(run, 'large.bin');
    expect(found?.bytes).toBe(large.length);
    expect((await buffer(found!.content)).equals(large)).toBe(true);
    expect(await files.getArtifact(run, 'none')).toBeUndefined();
    const read = async (name: string, offset: number, length?: number) => {
      const part = { offset, ...(length === undefined ? {} : { length }) };
      const { bytes, content, mark } = (await files.getArtifact(run, name, part))!;
      expect(mark).not.toBe('');
      return [bytes, (await buffer(content)).toString()];
    };
    expect(await read('out/größe & co.csv', 1, 2)).toEqual([4, ',2']);
    expect(await read('out/größe & co.csv', 2)).toEqual([4, '2\n']);
    expect(await read('out/größe & co.csv', 4, 10)).toEqual([4, '']);
    expect(await read('empty', 0, 1)).toEqual([0, '']);
    const readMark = async () => (await files.getArtifact(run, 'empty', { offset: 6 }))!.mark;
    const before = await readMark();
    await files.putArtifact(run, 'empty', Readable.from([Buffer.from('no more')]));
    expect(await readMark()).not.toBe(before);
    await files.appendLog(path.join(run, 'load.1'), 'stdout', 0, Buffer.from('x'));
    await files.removeRun(run);
    expect(await files.listArtifacts(run)).toEqual([]);
    expect(await files.logSize(path.join(run, 'load.1'), 'stdout')).toBe(0);
    expect(await files.listArtifacts(neighbour)).toHaveLength(1);
  });

  test('an interrupted upload leaves nothing behind', async () => {
    const files = await open();
    const run = newRun();
    const broken = Readable.from(
      (function* () {
        yield Buffer.alloc(1024);
        throw new Error('the worker went away');
      })(),
    );
    await expect(files.putArtifact(run, 'half', broken)).rejects.toThrow('the worker went away');
    expect(await files.getArtifact(run, 'half')).toBeUndefined();
  });

  test('prefixes separate installations', async () => {
    const run = newRun();
    await (await open('one')).putArtifact(run, 'a', Readable.from([Buffer.from('x')]));
    expect(await (await open('other')).listArtifacts(run)).toEqual([]);
  });

  test('reports a missing bucket or an unreachable server by the name of the bucket', async () => {
    const missing = await openTaskFiles({ url: server.url('nobody') });
    const error = {
      code: 'unavailable',
      message: expect.stringContaining('Object store error for bucket nobody'),
    };
    await expect(missing.listArtifacts(newRun())).rejects.toMatchObject(error);
    const away = await openTaskFiles({ url: 's3://nobody/?endpoint=http://127.0.0.1:1&region=us-east-1' });
    await expect(away.listArtifacts(newRun())).rejects.toMatchObject(error);
  });
});
