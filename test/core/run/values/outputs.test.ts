import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { matchesStdout } from '../../../../core/run/values/outputs.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { buildContinueOn, buildStep, slowLine, slowPattern } from '../../../harness/samples.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { statusesOf, TestEngine, stdoutOf } from '../../../harness/engine.ts';

describe('outputs', () => {
  test('are visible to direct and indirect dependents and handlers only', async () => {
    const view = await new TestEngine().run(`
type: graph
steps:
  - { name: make, command: "printf '\\n made \\n\\n'", output: MADE }
  - { name: next, command: "true", depends: make }
  - { name: later, command: 'echo "[$MADE]"', depends: next }
  - { name: aside, command: 'echo "[$MADE]"' }
  - { name: after aside, command: 'echo "[$MADE]"', depends: aside }
handlerOn:
  init: echo "[$MADE]"
  exit: echo "[$MADE]"`);
    expect(stdoutOf(view, 'later')).toBe('[made]\n');
    for (const name of ['aside', 'after aside', 'onInit']) expect(stdoutOf(view, name)).toBe('[]\n');
    expect(stdoutOf(view, 'onExit')).toBe('[made]\n');
    expect(view.outputs).toEqual({ MADE: 'made' });
  });

  test('of one name: the nearest wins, whatever the order of the dependencies', async () => {
    const view = await new TestEngine().run(`
type: graph
steps:
  - { name: far, command: echo far, output: X }
  - { name: relay, command: "true", depends: far }
  - { name: near, command: echo near, output: X, depends: far }
  - { name: near first, command: echo $X, depends: [near, relay] }
  - { name: near last, command: echo $X, depends: [relay, near] }
  - { name: twin, command: echo twin, output: X, depends: far }
  - { name: both, command: echo $X, depends: [near, twin] }`);
    expect(stdoutOf(view, 'near first')).toBe('near\n');
    expect(stdoutOf(view, 'near last')).toBe('near\n');
    // Equally near: the one named last.
    expect(stdoutOf(view, 'both')).toBe('twin\n');
  });

  test('pass through skipped and tolerated failed steps', async () => {
    const view = await new TestEngine().run(`
steps:
  - { name: half, command: "echo half; exit 1", output: HALF, continueOn: failed }
  - { name: no, command: "true", preconditions: [{ command: "false" }], continueOn: skipped }
  - { name: last, command: 'echo "[$HALF]"' }`);
    expect(stdoutOf(view, 'last')).toBe('[half]\n');
    expect(view.steps[0]).toMatchObject({ status: 'failed', output: { name: 'HALF', value: 'half' } });
  });

  test('over maxOutputSize fail the step, with both sizes', async () => {
    const view = await new TestEngine().run(`
maxOutputSize: 100
type: graph
steps:
  - { name: fits, command: "head -c 100 /dev/zero | tr '\\\\0' x", output: A }
  - { name: over, command: "head -c 101 /dev/zero | tr '\\\\0' x", output: B }`);
    expect(statusesOf(view)).toEqual({ fits: 'succeeded', over: 'failed' });
    expect(view.steps[1]!.error).toBe(
      'output exceeded maximum size limit: 101 bytes, 100 allowed (maxOutputSize)',
    );
    expect(view.outputs).toEqual({ A: 'x'.repeat(100) });
  });

  test('that are invalid UTF-8 are stored with replacement characters', async () => {
    const program = path.resolve('test/programs/invalid-utf8.sh');
    const view = await new TestEngine().run(`
steps:
  - { name: bad, command: "sh ${program}", output: BAD }
  - { name: next, command: 'printf %s "$BAD"' }`);
    expect(view.outputs).toEqual({ BAD: 'ok \uFFFD\uFFFD\uFFFD end' });
    expect(stdoutOf(view, 'next')).toBe('ok \uFFFD\uFFFD\uFFFD end');
  });

  test('that are JSON can be accessed by path in commands', async () => {
    const view = await new TestEngine().run(`
steps:
  - { command: 'echo ''{"a":{"b":["x","$(id)"]}}''', output: DATA }
  - { name: show, command: 'echo "\${DATA.a.b[1]}"' }`);
    expect(stdoutOf(view, 'show')).toBe('$(id)\n');
  });
});

describe('stdout', () => {
  const matchesIn = (text: string, output: string[]): Promise<boolean> => {
    const file = path.join(makeTemporaryFolder(), 'stdout');
    writeFileSync(file, text);
    return matchesStdout(buildStep('a', { continueOn: buildContinueOn({ output }) }), file, systemClock);
  };

  test.each([
    { output: ['need'], line: 'a needle', matches: true },
    { output: ['re:^n.*e$'], line: 'needle', matches: true },
    { output: ['re:^n.*e$'], line: 'a needle', matches: false },
    { output: ['a.c'], line: 'abc', matches: false },
    { output: ['x', 're:\\d{3}'], line: 'code 404', matches: true },
    { output: ['re:^[[:alpha:]]\\z'], line: 'a', matches: true },
    { output: ['re:^(a+)+$'], line: `${'a'.repeat(200_000)}!`, matches: false },
    { output: [], line: 'anything', matches: false },
  ])('is matched line by line with $output: $matches', async ({ output, line, matches }) => {
    expect(await matchesIn(`first\n${line}\nlast`, output)).toBe(matches);
    expect(await matchesIn(`${'first\n'.repeat(40_000)}${line}\n`, output)).toBe(matches);
  });

  test('rejects when matching takes too long', () =>
    expect(matchesIn(slowLine.repeat(100), [`re:${slowPattern}`])).rejects.toThrow(
      'took longer than 2 seconds',
    ));
});
