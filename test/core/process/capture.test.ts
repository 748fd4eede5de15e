import { expect, it } from 'vitest';
import { captureCommand } from '../../../core/process/capture.ts';

const capture = (argv: readonly string[], maxBytes = 1000) =>
  captureCommand({ argv, env: { PATH: process.env['PATH']! }, cwd: '/', maxBytes });

it('gives what a command prints', async () => {
  expect(await capture(['printf', 'a\\nb'])).toEqual({ exitCode: 0, stdout: 'a\nb' });
});

it('says how a command failed', async () => {
  expect(await capture(['sh', '-c', 'echo out; echo why >&2; exit 3'])).toEqual({
    exitCode: 3,
    stdout: 'out\n',
    error: 'exit code 3: why',
  });
  expect(await capture(['sh', '-c', 'kill -9 $$'])).toMatchObject({
    exitCode: null,
    error: 'ended by SIGKILL',
  });
});

it.each([
  ['is missing', ['no-such-program'], /^no-such-program: .*ENOENT/],
  ['is too big', ['echo', 'x'.repeat(200_000)], /^echo: .*E2BIG/],
  ['has a zero byte', ['echo', 'a\0b'], /^echo: .*null bytes/],
])('never rejects, not when a command %s', async (_what, argv, error) => {
  expect(await capture(argv)).toEqual({ exitCode: null, stdout: '', error: expect.stringMatching(error) });
});

it.each([
  [4, 'aé'],
  [3, 'aé'],
  [2, 'a'],
])('cuts after %i bytes, but no character', async (maxBytes, stdout) => {
  expect((await capture(['printf', 'aé€'], maxBytes)).stdout).toBe(stdout);
});
