import { describe, expect, it } from 'vitest';
import { stdoutOf, TestEngine } from '../../harness/engine.ts';
import { runStep } from './step-harness.ts';

const step = { terminal: { columns: 90, rows: 30 } };

describe('step in a terminal', () => {
  it.each([
    ['command', { kind: 'command', command: 'test -t 1 && stty size && echo "$1"' }],
    ['script', { kind: 'script', script: 'test -t 1\nstty size\necho "$1"\n' }],
    [
      'script with a shebang',
      { kind: 'script', script: '#!/bin/bash\n[[ -t 1 ]] && stty size && echo "$1"\n' },
    ],
    [
      'script for a command',
      { kind: 'script', script: 'test -t 1 && stty size; echo "$1"', command: ['bash', '-u'] },
    ],
    ['program', { kind: 'argv', argv: ['sh', '-c', 'test -t 1 && stty size; echo "$1"', 'sh', 'it'] }],
  ] as const)('can be %s', async (_, action) => {
    const { end, stdout } = await runStep(action as never, { step, positional: ['it'] });
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe('30 90\nit\n');
  });

  it('still ends at the first failing command', async () => {
    const { end, stdout } = await runStep({ kind: 'command', command: 'false; echo reached' }, { step });
    expect(end.exitCode).toBe(1);
    expect(stdout).toBe('');
  });

  it('reports its last output on failure, without colors', async () => {
    const command = String.raw`echo out; printf '\033[31mlast words\033[0m\n' >&2; exit 3`;
    const { end, stdout } = await runStep({ kind: 'command', command }, { step });
    expect(end).toEqual({ exitCode: 3, error: 'exit code 3: last words' });
    expect(stdout).toBe('out\n\u001B[31mlast words\u001B[0m\n');
  });
});

describe('in a run', () => {
  it('returns its output, masks secrets, and gets its size from the workflow', async () => {
    process.env['TTY_TEST_SECRET'] = 'open-sesame';
    const engine = new TestEngine();
    const view = await engine.run(`secrets: [{name: TOKEN, provider: env, key: TTY_TEST_SECRET}]
steps:
  - {command: 'stty size; echo "got $TOKEN"', tty: true, output: SEEN}
  - {command: 'echo "$SEEN"; stty size', tty: {columns: "200"}}
  - {command: 'if test -t 0; then echo tty; else echo none; fi', tty: false}
`);
    delete process.env['TTY_TEST_SECRET'];
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, 'cmd_1')).toBe('40 120\ngot *******\n');
    expect(stdoutOf(view, 'cmd_2')).toMatch(/^40 120\ngot .*\n40 200\n$/);
    expect(stdoutOf(view, 'cmd_3')).toBe('none\n');
  });

  it('times out', async () => {
    const engine = new TestEngine();
    const view = await engine.run('steps: [{command: "stty -icanon; cat", tty: true, timeoutSec: 0.05}]');
    expect(view.steps[0]).toMatchObject({ status: 'failed', exitCode: 124 });
  });
});
