import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson, saveDag } from '../../harness/home-and-command.ts';
import { program } from './step-processes.ts';

it.each([
  ['SIGKILL', 'killed by SIGKILL, not sent by the engine (out of memory?)'],
  ['SIGSEGV', expect.stringMatching(/SIGSEGV/)],
  ['SIGTERM', expect.stringMatching(/SIGTERM/)],
])('a step killed by %s fails with its signal', async (signal, error) => {
  const place = makeTestHome();
  saveDag(
    place,
    'dying',
    `steps:\n  - name: die\n    command: exec ${program(`die-by-signal.sh ${signal.slice(3)}`)}\n  - name: after\n    command: echo never\n`,
  );
  const { code, json } = await runForJson(place, ['start', 'dying']);
  expect(json).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(signal),
    steps: [
      { name: 'die', status: 'failed', exitCode: null, signal, error },
      { name: 'after', status: 'aborted', attempts: 0 },
    ],
  });
  expect(code).toBe(1);
});

it('output that is not UTF-8 is stored unchanged and read with replacement characters', async () => {
  const place = makeTestHome();
  saveDag(
    place,
    'bytes',
    `steps:\n  - name: write\n    command: ${program('invalid-utf8.sh')}\n    output: TEXT\n  - name: pass\n    command: printf '%s' "$TEXT"\n`,
  );
  const { code, json } = await runForJson(place, ['start', 'bytes']);
  expect(code).toBe(0);
  expect(json.outputs.TEXT).toBe('ok \uFFFD\uFFFD\uFFFD end');
  expect(readFileSync(json.steps[0].stdoutFile!, 'latin1')).toBe('ok \u00FF\u00FE\u00C0 end\n');
  expect(await runEngine(place, ['logs', 'bytes', '--stream', 'stdout'])).toMatchObject({
    code: 0,
    stdout: 'write | ok \uFFFD\uFFFD\uFFFD end\npass | ok \uFFFD\uFFFD\uFFFD end\n',
  });
});

it.each([
  ['through the shell', 'no-such-program --now', 127, /exit code 127 \(command not found\)/],
  ['as a list', '[no-such-program, --now]', null, /program "no-such-program" not found; PATH searched: /],
  ['as a path', '[./no-such-program]', null, /program \.\/no-such-program does not exist/],
  ['without permission', '[./plain.txt]', null, /permission denied to run "\.\/plain\.txt"/],
])('a missing command, %s, fails the step with a message', async (_how, command, exitCode, error) => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'plain.txt'), 'text\n');
  saveDag(place, 'missing', `workingDir: ${place.cwd}\nsteps:\n  - name: call\n    command: ${command}\n`);
  const { code, json } = await runForJson(place, ['start', 'missing']);
  expect(json).toMatchObject({
    status: 'failed',
    steps: [{ name: 'call', status: 'failed', error: expect.stringMatching(error) }],
  });
  expect(json.steps[0].exitCode).toBe(exitCode);
  expect(code).toBe(1);
});

it('a missing working directory is created, and rejected when a file is in its place', async () => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'file'), 'kept');
  saveDag(
    place,
    'places',
    `workingDir: ${place.cwd}\nsteps:\n  - name: missing\n    dir: made/deep\n    command: pwd\n  - name: blocked\n    dir: file/below\n    command: echo never\n`,
  );
  const { code, json } = await runForJson(place, ['start', 'places']);
  expect(json.steps).toMatchObject([
    { name: 'missing', status: 'succeeded' },
    {
      name: 'blocked',
      status: 'failed',
      error: expect.stringMatching(
        /Working directory \S+\/file\/below does not exist and cannot be created: a file with this name already exists/,
      ),
    },
  ]);
  expect(readFileSync(join(place.cwd, 'file'), 'utf8')).toBe('kept');
  expect(code).toBe(1);
});

it('a workflow whose working directory cannot be created fails before its first step', async () => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'file'), 'kept');
  saveDag(
    place,
    'places',
    `workingDir: ${place.cwd}/file\nsteps:\n  - echo never\nhandlerOn:\n  exit: echo never\n`,
  );
  const { code, json } = await runForJson(place, ['start', 'places']);
  expect(json).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/cannot be created: a file with this name already exists/),
  });
  expect(json.steps).toMatchObject([{ attempts: 0 }]);
  expect(code).toBe(1);
});

it('a parameter of 200 kB is rejected with a message by a step that cannot receive it', async () => {
  const place = makeTestHome();
  saveDag(
    place,
    'big',
    `params:\n  - BIG: ${'x'.repeat(200_000)}\nsteps:\n  - name: use\n    command: echo never\n`,
  );
  const { code, json } = await runForJson(place, ['start', 'big']);
  expect(json).toMatchObject({
    status: 'failed',
    steps: [
      {
        name: 'use',
        status: 'failed',
        error: expect.stringMatching(
          /exceed the limit of the system: .* variable BIG alone has 2000\d\d .*in a file/,
        ),
      },
    ],
  });
  expect(json.params).toEqual([`BIG=${'x'.repeat(200_000)}`]);
  expect(code).toBe(1);
});
