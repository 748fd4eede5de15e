import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findErrorLine } from '../../../core/executors/step-output.ts';
import { isAlive } from '../../../core/process/process-table.ts';
import { findProgram, listAttemptProcesses } from '../process/launch-harness.ts';
import { until } from '../../harness/resources.ts';
import { runStep, startStep } from './step-harness.ts';

const command = (text: string) => ({ kind: 'command', command: text }) as const;

/** Strings that a shell would interpret if they were pasted into a command. */
const hostileText = [
  '$(touch pwned)',
  '`touch pwned`',
  '; touch pwned',
  '"; touch pwned; "',
  "'; touch pwned; '",
  'a\nb',
  '*',
  '\\',
  '-n',
  '',
];

describe('command', () => {
  it('runs in the shell, in the working directory', async () => {
    const { end, stdout, step } = await runStep(command('echo one | tr a-z A-Z; pwd'));
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe(`ONE\n${step.workingDir}\n`);
  });

  it('stops at the first command that fails, unless the step chose its shell', async () => {
    expect((await runStep(command('false; echo reached'))).end.exitCode).toBe(1);
    expect((await runStep(command('false; echo reached'), { shell: ['bash'] })).end.exitCode).toBe(1);
    const chosen = await runStep(command('false; echo reached'), { step: { shell: ['sh'] } });
    expect(chosen.stdout).toBe('reached\n');
  });

  it('prefers the step’s shell over the workflow’s, and that over the default', async () => {
    const which = command('echo "${BASH_VERSION:+bash}${BASH_VERSION:-other}" | cut -c1-4');
    const run = async (choice: Parameters<typeof runStep>[1]) => (await runStep(which, choice)).stdout.trim();
    expect(await run({})).toBe('othe');
    expect(await run({ shell: ['bash'] })).toBe('bash');
    expect(await run({ shell: ['bash'], step: { shell: ['sh'] } })).toBe('othe');
    expect(await run({ env: { ENGINE_DEFAULT_SHELL: 'bash' } })).toBe('bash');
  });

  it.each(hostileText)('sees a parameter as data: %j', async (value) => {
    const choice = { env: { PARAM: value }, positional: [value, 'two'] };
    const { stdout, step } = await runStep(command('printf "%s|%s|%s" "$PARAM" "$1" "$2"'), choice);
    expect(stdout).toBe(`${value}|${value}|two`);
    expect(readdirSync(step.workingDir)).toEqual([]);
  });

  it('reports its process when it starts', async () => {
    const step = startStep(command(`exec sh ${findProgram('hang.sh')}`));
    await step.ready();
    expect(step.spawned).toHaveLength(1);
    expect(isAlive(step.spawned[0]!)).toBe(true);
    step.stop();
    expect(await step.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(isAlive(step.spawned[0]!)).toBe(false);
  });

  it('can be longer than one argument', async () => {
    const { end, stdout, step } = await runStep(command(`: ${'x'.repeat(200_000)}\necho "$1"`), {
      positional: ['it ran'],
    });
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe('it ran\n');
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  it('cannot run in the shell “direct”', async () => {
    const step = startStep(command('echo x'), { shell: ['direct'] });
    expect((await step.ended).error).toContain('write the command as a list');
    expect(step.spawned).toEqual([]);
  });
});

describe('failure', () => {
  it('reports its exit code and the last line of stderr', async () => {
    const { end } = await runStep(command('echo first >&2; echo "last words" >&2; exit 3'));
    expect(end).toEqual({ exitCode: 3, error: 'exit code 3: last words' });
  });

  it.each([
    [
      'of Python',
      'Traceback (most recent call last):\n  File "a.py", line 4, in <module>\n    f()\nKeyError: \'nope1\'\n    ~~^^^^\n',
      "KeyError: 'nope1'",
    ],
    [
      'of Node.js',
      'throw new Error("bad")\n^\n\nError: bad\n    at a.js:1:7\n\nNode.js v24.1.0\n',
      'Error: bad',
    ],
    [
      'of Java',
      'Exception in thread "main" X: no\n\tat A.b(A.java:1)\n\t... 5 more\n',
      'Exception in thread "main" X: no',
    ],
    ['without letters', '--\n^^^^\n', '^^^^'],
    ['in another script', 'Fehler: kaputt\n失敗\n', '失敗'],
  ])('quotes the line of a trace %s that says what is wrong', (_, stderr, line) => {
    expect(findErrorLine(stderr)).toBe(line);
  });

  it('quotes part of an endless line', async () => {
    const { end } = await runStep(command('head -c 5000 /dev/zero | tr "\\0" x >&2; exit 1'));
    expect(end.error).toMatch(/^exit code 1: x{900,1000}…$/);
  });

  it('explains the shell’s own exit codes', async () => {
    expect((await runStep(command('no-such-command'))).end.error).toContain('127 (command not found)');
  });

  it('by a signal names it, and suspects memory pressure after an external SIGKILL', async () => {
    const dead = await runStep(command(`exec sh ${findProgram('die-by-signal.sh')} ABRT`));
    expect(dead.end).toEqual({ signal: 'SIGABRT', error: 'terminated by signal SIGABRT' });
    const killed = await runStep(command(`exec sh ${findProgram('die-by-signal.sh')} KILL`));
    expect(killed.end.error).toContain('out of memory?');
  });

  it('to start is an attempt’s error, not an exception', async () => {
    const step = startStep(command('true'), { workingDir: '/nowhere/at/all' });
    expect(await step.ended).toEqual({ error: 'working directory /nowhere/at/all does not exist' });
  });
});

describe('stopping', () => {
  it('uses the step’s own signal', async () => {
    const step = startStep(command(`exec sh ${findProgram('count-signals.sh')}`), {
      step: { signalOnStop: 'SIGINT' },
    });
    await step.ready();
    step.stop();
    await until(() => step.stdout() === 'ready\nINT\n');
    step.kill();
    expect(await step.ended).toEqual({ signal: 'SIGKILL', error: 'terminated by signal SIGKILL' });
  });

  it('before the start starts nothing', async () => {
    const step = startStep(command('touch ran'));
    step.stop();
    expect((await step.ended).error).toBe('stopped before the process started');
    expect(existsSync(join(step.workingDir, 'ran'))).toBe(false);
  });

  it('leaves no process behind, including forked ones', async () => {
    const step = startStep(
      command(`sh ${findProgram('escape.sh')} & exec sh ${findProgram('fork-children.sh')} ignore`),
      { cleanUpMs: 20 },
    );
    await step.ready();
    step.stop();
    await step.ended;
    expect(listAttemptProcesses(step.attemptDir)).toEqual([]);
  });

  it('after the end does nothing', async () => {
    const { step, end } = await runStep(command('true'));
    step.stop();
    step.kill();
    expect(end).toEqual({ exitCode: 0 });
  });
});

it('writes large output to its log without involving the engine', async () => {
  const { end, step } = await runStep(command(`exec sh ${findProgram('spew.sh')} 20000000`));
  expect(end).toEqual({ exitCode: 0 });
  expect(step.stdout()).toHaveLength(20_000_000);
});
