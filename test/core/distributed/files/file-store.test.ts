import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openTaskFiles } from '../../../../core/distributed/files/open-task-files.ts';
import { findRunFolder, parseRunFolder } from '../../../../core/distributed/files/run-folders.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const newRun = (): string => path.join(makeTemporaryFolder(), 'etl', '20260101T000000Z_run-1');

test('creates logs with their directory, for their owner only', async () => {
  const files = await openTaskFiles({});
  const attemptDir = path.join(newRun(), 'load.1');
  expect(await files.logSize(attemptDir, 'stdout')).toBe(0);
  expect(await files.appendLog(attemptDir, 'stdout', 0, Buffer.from('hi'))).toEqual({ size: 2 });
  expect(await files.logSize(attemptDir, 'stdout')).toBe(2);
  expect(statSync(path.join(attemptDir, 'stdout.log')).mode & 0o777).toBe(0o600);
  expect(statSync(attemptDir).mode & 0o777).toBe(0o700);
});

test('stores a chunk that is received twice once', async () => {
  const files = await openTaskFiles({ syncsLogs: false });
  const attemptDir = path.join(newRun(), 'load.1');
  const part = Buffer.from('0123456789');
  await Promise.all([1, 2, 3, 4].map(() => files.appendLog(attemptDir, 'stdout', 0, part)));
  expect(readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8')).toBe('0123456789');
});

test('lists artifacts with sizes and times, without incomplete ones', async () => {
  const files = await openTaskFiles({});
  const run = newRun();
  expect(await files.listArtifacts(run)).toEqual([]);
  await files.putArtifact(run, 'b/c.txt', Readable.from([Buffer.from('12345')]));
  await files.putArtifact(run, 'a.txt', Readable.from([Buffer.from('1')]));
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('half');
      throw new Error('gone');
    })(),
  );
  await expect(files.putArtifact(run, 'half.txt', broken)).rejects.toThrow('gone');
  expect(await files.listArtifacts(run)).toEqual([
    { name: 'a.txt', bytes: 1, at: expect.any(Number) },
    { name: 'b/c.txt', bytes: 5, at: expect.any(Number) },
  ]);
  expect(await files.getArtifact(run, 'half.txt')).toBeUndefined();
});

test('reads a range of an artifact, with its total size', async () => {
  const files = await openTaskFiles({});
  const run = newRun();
  await files.putArtifact(run, 'a.txt', Readable.from([Buffer.from('0123456789')]));
  const read = async (offset: number, length?: number) => {
    const part = { offset, ...(length === undefined ? {} : { length }) };
    const { bytes, content } = (await files.getArtifact(run, 'a.txt', part))!;
    return [bytes, (await buffer(content)).toString()];
  };
  expect(await read(2, 3)).toEqual([10, '234']);
  expect(await read(8)).toEqual([10, '89']);
  expect(await read(8, 100)).toEqual([10, '89']);
  expect(await read(10, 1)).toEqual([10, '']);
  const readMark = async () => (await files.getArtifact(run, 'a.txt', { offset: 10 }))!.mark;
  const mark = await readMark();
  await files.putArtifact(run, 'a.txt', Readable.from([Buffer.from('0123456789')]));
  expect(await readMark()).not.toBe(mark);
});

test('copies logs that another home on this machine stored in its directory', async () => {
  const files = await openTaskFiles({ syncsLogs: false });
  const [attemptDir, told] = [path.join(newRun(), 'load.1'), path.join(newRun(), 'load.1')];
  await files.mirrorLogs(attemptDir, told);
  expect(existsSync(attemptDir)).toBe(false);
  await files.appendLog(told, 'stdout', 0, Buffer.from('one\n'));
  await files.mirrorLogs(attemptDir, told);
  await files.appendLog(told, 'stdout', 4, Buffer.from('two\n'));
  await files.mirrorLogs(attemptDir, told);
  expect(readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8')).toBe('one\ntwo\n');
  expect(existsSync(path.join(attemptDir, 'stderr.log'))).toBe(false);
});

test('files already in the directory need no mirroring or deleting', async () => {
  const files = await openTaskFiles({});
  const run = newRun();
  mkdirSync(path.join(run, 'load.1'), { recursive: true });
  writeFileSync(path.join(run, 'load.1/stdout.log'), 'x');
  await files.mirrorLogs(path.join(run, 'load.1'));
  await files.removeRun(run);
  expect(existsSync(path.join(run, 'load.1/stdout.log'))).toBe(true);
});

test('derives the run from an attempt’s path at any depth', () => {
  expect(parseRunFolder('/logs/etl/20260101T000000Z_r1/load.1/items/3')).toEqual({
    run: '/logs/etl/20260101T000000Z_r1',
    runParts: ['etl', '20260101T000000Z_r1'],
    attempt: path.join('load.1', 'items', '3'),
  });
  const ref = { name: 'etl', dagRunId: 'r1' };
  expect(findRunFolder('/logs/etl/20260101T000000Z_r1/load.1', ref)).toBe('/logs/etl/20260101T000000Z_r1');
});

test.each([
  'etl/20260101T000000Z_r1/load.1',
  '/logs/etl/20260101T000000Z_r1/../x/load.1',
  '/logs/etl/20260101T000000Z_r2/load.1',
  '/logs/other/20260101T000000Z_r1/load.1',
  '/logs/etl/load.1',
  '/logs/etl/20260101T000000Z_r1',
  '/',
])('rejects %s as a path of the attempt', (attemptDir) => {
  expect(() => findRunFolder(attemptDir, { name: 'etl', dagRunId: 'r1' })).toThrow(
    'is not an attempt folder of this run',
  );
});
