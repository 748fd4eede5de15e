import { describe, expect, it } from 'vitest';
import { runStep, startStep } from './step-harness.ts';

const run = (argv: string[], choice?: Parameters<typeof runStep>[1]) =>
  runStep({ kind: 'argv', argv }, choice);

describe('program with arguments', () => {
  it('gets each element as one argument, without a shell', async () => {
    const { stdout } = await run(['printf', '[%s]', '$HOME', 'a b', '$(touch x)', '*', '']);
    expect(stdout).toBe('[$HOME][a b][$(touch x)][*][]');
  });

  it('gets its elements expanded, still as one argument each', async () => {
    const { stdout } = await run(['printf', '[%s]', '${NAME}'], {
      expand: (text) => text.replace('${NAME}', 'a b; c "d"\n'),
    });
    expect(stdout).toBe('[a b; c "d"\n]');
  });

  it('can be named by a value', async () => {
    const { stdout } = await run(['${TOOL}', 'hello'], {
      expand: (text) => (text === '${TOOL}' ? 'echo' : text),
    });
    expect(stdout).toBe('hello\n');
  });

  it('reports that it was not found, and where it was searched', async () => {
    const step = startStep({ kind: 'argv', argv: ['no-such-program'] }, { env: { PATH: '/usr/bin:/bin' } });
    expect((await step.ended).error).toBe(
      'program "no-such-program" not found; PATH searched: /usr/bin:/bin',
    );
  });

  it('fails when its expansion fails', async () => {
    const step = startStep(
      { kind: 'argv', argv: ['echo', '`x`'] },
      {
        expand: (text) => {
          if (text === '`x`') throw new Error('the command `x` failed');
          return text;
        },
      },
    );
    expect(await step.ended).toEqual({ error: 'the command `x` failed' });
  });

  it('names the argument that is too large for the system', async () => {
    const step = startStep({ kind: 'argv', argv: ['echo', 'x'.repeat(200_000)] });
    expect((await step.ended).error).toContain('argument 1 alone has 200000');
  });
});
