import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { captureCommand } from '../../../core/process/capture.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';

const capture = (argv: readonly string[], maxBytes = 1000) =>
  captureCommand({ argv, env: { PATH: process.env['PATH']! }, cwd: '/', maxBytes });

it('returns what a command prints', async () => {
  expect(await capture(['printf', 'a\\nb'])).toEqual({ exitCode: 0, stdout: 'a\nb' });
});

it('reports how a command failed', async () => {
  expect(await capture(['sh', '-c', 'echo out; echo why >&2; exit 3'])).toEqual({
    exitCode: 3,
    stdout: 'out\n',
    error: 'exit code 3: why',
  });
  expect(await capture(['sh', '-c', 'kill -9 $$'])).toMatchObject({
    exitCode: null,
    error: 'terminated by SIGKILL',
  });
});

it.each([
  ['is missing', ['no-such-program'], 'not_found', /^program "no-such-program" not found; PATH searched: /],
  [
    'is too large',
    ['echo', 'x'.repeat(200_000)],
    'too_big',
    /^arguments and environment exceed the limit of the system: \d+ bytes in total, argument 1 alone has 200000 \(the limit for one is 131071\); pass large data in a file$/,
  ],
  [
    'has a zero byte',
    ['echo', 'a\0b'],
    'other',
    /cannot start "echo": The argument 'args\[0\]' must be a string without.*null bytes/,
  ],
] as const)('never rejects when a command %s', async (_what, argv, refused, error) => {
  const captured = { exitCode: null, stdout: '', refused, error: expect.stringMatching(error) as string };
  expect(await capture(argv)).toEqual(captured);
});

it('never rejects when its environment is too large, and names the variable', async () => {
  const env = { PATH: process.env['PATH']!, LARGE: 'x'.repeat(200_000) };
  const captured = await captureCommand({ argv: ['true'], env, cwd: '/', maxBytes: 10 });
  expect(captured).toMatchObject({
    exitCode: null,
    refused: 'too_big',
    error: expect.stringContaining('variable LARGE alone has 200006') as string,
  });
});

it('reports a missing directory', async () => {
  const env = { PATH: process.env['PATH']! };
  const captured = await captureCommand({ argv: ['true'], env, cwd: '/no/such/folder', maxBytes: 10 });
  expect(captured).toMatchObject({
    refused: 'no_working_directory',
    error: 'working directory /no/such/folder does not exist',
  });
});

it('tags what it starts', async () => {
  const request = { argv: ['printenv', 'ENGINE_ATTEMPT_DIR'], cwd: '/', maxBytes: 100 };
  const env = { PATH: process.env['PATH']!, ENGINE_ATTEMPT_DIR: '/of/an/engine/above' };
  expect(await captureCommand({ ...request, env, tag: '/its/own' })).toEqual({
    exitCode: 0,
    stdout: '/its/own\n',
  });
});

it.each([
  [4, 'aé'],
  [3, 'aé'],
  [2, 'a'],
])('truncates after %i bytes, without splitting a character', async (maxBytes, stdout) => {
  expect((await capture(['printf', 'aé€'], maxBytes)).stdout).toBe(stdout);
});

it('starts nothing when it is already aborted', async () => {
  const request = { argv: ['sleep', '60'], env: { PATH: process.env['PATH']! }, cwd: '/', maxBytes: 10 };
  const captured = await captureCommand({ ...request, signal: AbortSignal.abort() });
  expect(captured).toEqual({ exitCode: null, stdout: '', error: 'stopped before the command started' });
});

it('when aborted, does not wait for a process that left its group and keeps its output open', async () => {
  const folder = makeTemporaryFolder();
  const file = path.join(folder, 'pid');
  const stopping = new AbortController();
  const captured = captureCommand({
    argv: ['sh', '-c', 'setsid sh -c "echo \\$\\$ > new; mv new pid; exec sleep 1000000" & wait'],
    env: { PATH: process.env['PATH']! },
    cwd: folder,
    maxBytes: 10,
    signal: stopping.signal,
  });
  await until(() => existsSync(file));
  onTestFinished(() => void process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL'));
  stopping.abort();
  expect(await captured).toMatchObject({ exitCode: null, error: 'terminated by SIGKILL' });
});

it('reports whole lines of stderr, the last ones, and the beginning of a last one that is too long', async () => {
  const lines = 'seq 1 5000 | sed "s/$/ is a line/" >&2; exit 1';
  const { error } = await capture(['sh', '-c', lines]);
  expect(error).toMatch(/^exit code 1: \d{4} is a line\n/);
  expect(error).toMatch(/\n5000 is a line$/);
  const long = await capture(['sh', '-c', 'echo before >&2; printf "%02000d" 7 >&2; exit 1']);
  expect(long.error).toBe(`exit code 1: ${'0'.repeat(1024)}…`);
  const endless = await capture(['sh', '-c', 'printf "%0200000d" 7 >&2; exit 1']);
  expect(endless.error).toBe('exit code 1');
});
