import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInterpreter } from '../../../core/executors/process.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { runStep, startStep } from './step-harness.ts';

const script = (text: string) => ({ kind: 'script', script: text }) as const;

/** Prints its arguments in brackets, whatever it is called with. */
function makeInterpreter(): string {
  const file = join(makeTemporaryFolder(), 'interpreter');
  writeFileSync(file, '#!/bin/sh\nprintf "[%s]" "$@"\n');
  chmodSync(file, 0o755);
  return file;
}

describe('script', () => {
  it('runs in the default shell and stops at the first failing command', async () => {
    const { end, stdout } = await runStep(script('cd /\npwd\nfalse\necho reached\n'));
    expect(end.exitCode).toBe(1);
    expect(stdout).toBe('/\n');
  });

  it('gets positional parameters and values as data', async () => {
    const positional = ['$(touch x)', "it's", 'a\nb'];
    const { stdout } = await runStep(script('for one in "$@"; do printf "[%s]" "$one"; done'), {
      positional,
    });
    expect(stdout).toBe("[$(touch x)][it's][a\nb]");
  });

  it('runs by its shebang, with one option, the file and the parameters', async () => {
    const interpreter = makeInterpreter();
    const { stdout, step } = await runStep(script(`#!${interpreter} -x  y\nwhatever\n`), {
      positional: ['a b'],
    });
    expect(stdout).toBe(`[-x  y][${step.attemptDir}/script][a b]`);
  });

  it('runs by env as well', async () => {
    const { stdout } = await runStep(script('#!/usr/bin/env -S sh -u\necho "$0" | grep -c script'));
    expect(stdout).toBe('1\n');
  });

  it('prefers its shebang over the workflow’s shell, but not over the step’s', async () => {
    const text = `#!${makeInterpreter()}\necho by shell\n`;
    expect((await runStep(script(text), { shell: ['bash'] })).stdout).toMatch(/^\[.*script\]$/);
    expect((await runStep(script(text), { step: { shell: ['sh'] } })).stdout).toBe('by shell\n');
  });

  it('reports a missing interpreter', async () => {
    const step = startStep(script('#!/no/such/interpreter\n'));
    expect((await step.ended).error).toBe('program /no/such/interpreter does not exist');
  });

  it('is a private file while it runs', async () => {
    const { stdout } = await runStep(script('stat -c %a "$0"'));
    expect(stdout).toBe('700\n');
  });

  it.each([
    ['succeeded', 'true'],
    ['failed', 'exit 3'],
    ['died', 'kill -9 $$'],
  ])('is deleted when it has %s', async (_how, text) => {
    const { step } = await runStep(script(text));
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  it('is deleted when it was stopped or could not be started', async () => {
    const stopped = startStep(script('echo ready\nsleep 1000000\n'));
    await stopped.ready();
    expect(readFileSync(join(stopped.attemptDir, 'script'), 'utf8')).toContain('ready');
    stopped.stop();
    await stopped.ended;
    expect(stopped.files()).not.toContain('script');
    const missing = startStep(script('true'), { workingDir: '/nowhere/at/all' });
    await missing.ended;
    expect(missing.files()).toEqual([]);
  });
});

describe('script for a command', () => {
  const given = (text: string, ...command: string[]) => ({ kind: 'script', script: text, command }) as const;

  it('is a file whose path follows the arguments, each expanded separately', async () => {
    const { stdout, step } = await runStep(given('anything', 'printf', '[%s]', '$A', 'b c'), {
      expand: (text) => text.replace('$A', "$(touch x) 'a"),
      positional: ['not for it'],
    });
    expect(stdout).toBe(`[$(touch x) 'a][b c][${step.attemptDir}/script]`);
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  it('keeps its text when the program is not a shell', async () => {
    const choice = { env: { V: '{"k":1}' }, expand: (text: string) => text.replace('${V.k}', '1') };
    expect((await runStep(given('${V.k} $V\n', 'cat'), choice)).stdout).toBe('${V.k} $V\n');
    const program = 'const V = { k: 2 }; console.log(`${V.k}`, process.argv.length);';
    expect((await runStep(given(program, process.execPath, '--no-warnings'), choice)).stdout).toBe('2 2\n');
  });

  it('has its values passed in, and the parameters, when it is a shell', async () => {
    const choice = {
      env: { V: '{"k":1}' },
      expand: (text: string) => text.replace('${V.k}', '1'),
      positional: ['a b'],
    };
    const { stdout, stderr } = await runStep(given('printf "[%s]" "${V.k}" "$1"', 'sh', '-x'), choice);
    expect(stdout).toBe('[1][a b]');
    expect(stderr).toBe('+ printf [%s] 1 a b\n');
  });

  it('ignores the step’s shell and its shebang', async () => {
    const { stdout } = await runStep(given('#!/no/such\necho x', 'sh'), { step: { shell: ['bash'] } });
    expect(stdout).toBe('x\n');
  });

  it('names the missing program', async () => {
    const step = startStep(given('x', 'no-such-program-at-all'));
    expect((await step.ended).error).toContain('no-such-program-at-all');
    expect(step.files()).not.toContain('script');
  });

  it('ends with the command’s exit code', async () => {
    expect((await runStep(given('exit 4', 'sh'))).end.exitCode).toBe(4);
  });
});

describe('shebang', () => {
  it.each([
    { text: '#!/bin/sh\n', posix: ['/bin/sh'], windows: ['sh'] },
    { text: '#! /usr/bin/env python3\r\nprint()', posix: ['/usr/bin/env', 'python3'], windows: ['python3'] },
    {
      text: '#!/usr/bin/env -S node --no-warnings\n',
      posix: ['/usr/bin/env', '-S node --no-warnings'],
      windows: ['node', '--no-warnings'],
    },
    { text: '#!/bin/awk -f', posix: ['/bin/awk', '-f'], windows: ['awk', '-f'] },
    { text: 'echo\n#!/bin/sh\n', posix: undefined, windows: undefined },
    { text: '#!\n', posix: undefined, windows: undefined },
    { text: '# comment', posix: undefined, windows: undefined },
  ])('$text', ({ text, posix, windows }) => {
    expect(readInterpreter(text, 'linux')).toEqual(posix);
    expect(readInterpreter(text, 'win32')).toEqual(windows);
  });
});
