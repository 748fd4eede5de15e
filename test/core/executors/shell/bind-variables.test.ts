import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandVariables, type StepProperty } from '../../../../core/spec/expand.ts';
import { runStep, type StepChoice } from '../step-harness.ts';

const steps: Record<string, Record<StepProperty, string>> = {
  'load-all': { stdout: '/logs/all.out', stderr: '/logs/all.err', exitCode: '' },
  load: { stdout: '/logs/load.out', stderr: '/logs/load.err', exitCode: '3' },
};

/** A step whose references are resolved by the real expander, and the variables and steps of this file. */
const choose = (choice: StepChoice = {}): StepChoice => {
  const env: Record<string, string> = {
    SUB: '{"outputs":{"TOTAL":"$(touch pwned) 7","NULL":null},"n":4,"list":["a","b"],"nul":"a\\u0000b"}',
    LIST: '["a","b"]',
    DAY: '2026-11-20',
    FILE: 'report',
    ...choice.env,
  };
  const lookup = (name: string): string | undefined =>
    env[name] ?? choice.positional?.[Number(name) - 1] ?? { EDITOR: '{"k":"outside"}' }[name];
  const stepProperty = (id: string, property: StepProperty): string | undefined => steps[id]?.[property];
  return { ...choice, env, expand: (text) => expandVariables(text, { lookup, stepProperty }).value };
};

const print = async (command: string, choice?: StepChoice): Promise<string> =>
  (await runStep({ kind: 'command', command }, choose(choice))).stdout;

describe('a reference that no shell understands', () => {
  it('is passed by value, as data', async () => {
    const command = 'printf "[%s]" "${SUB.outputs.TOTAL}" ${SUB.outputs.TOTAL} in ${DAY:0:4}';
    const { stdout, step } = await runStep({ kind: 'command', command }, choose());
    expect(stdout).toBe('[$(touch pwned) 7][$(touch][pwned)][7][in][2026]');
    expect(readdirSync(step.workingDir)).toEqual([]);
  });

  it.each([
    ['echo ${SUB.list[-1]} ${LIST[0]} $SUB.list[0] $LIST[1] ${SUB.list.[1]}', 'b a a b b\n'],
    ['echo "$SUB.n.txt" "$FILE.txt" $NONE.txt "$SUB.none"', '4.txt report.txt .txt', 'none'],
    ['echo "[${SUB.outputs.NULL}][${SUB.none}]"', '[][]\n'],
    ['echo ${SUB.none:-a "b  c"} ${SUB.n:-x} ${NONE.key:-$(echo y)}', 'a b  c 4 y\n'],
    ['echo ${SUB.n:+$FILE} ${SUB.none:+x}', 'report\n'],
    ['echo ${SUB.outputs.TOTAL:2:5} ${DAY: -2} ${DAY:0:-3}', 'touch 20 2026-11\n'],
    [
      'echo ${load.stdout} ${load.exitCode}${load.exit_code} $load.stderr',
      '/logs/load.out 33 /logs/load.err\n',
    ],
    [
      'echo ${load-all.stdout} ${load-all.exitCode:-none} ${load-all.stdout:0:5}',
      '/logs/all.out none /logs\n',
    ],
    ['echo ${lo-ad.stdout} ${lo-ad.stdout:-x}', 'ad.stdout ad.stdout:-x\n'],
    ['echo ${EDITOR.k} [$EDITOR.k]', 'outside [outside]\n'],
    ['echo $(( ${SUB.n} + 1 ))', '5\n'],
    ['echo \'${SUB.n}\' "\\${SUB.n}" # ${SUB.n}', '${SUB.n} ${SUB.n}\n'],
    ["cat <<E; cat <<'F'\nit's ${SUB.n}\nE\n${SUB.n}\nF\n", "it's 4\n${SUB.n}\n"],
  ])('%s', async (command, stdout, rest = '') => {
    expect(await print(command)).toContain(stdout);
    expect(await print(command)).toContain(rest);
  });

  it('is the same in bash, which keeps its own syntax', async () => {
    const text =
      'DAY=1999-01-01; FILE=(x y); echo ${DAY:0:4} ${FILE[1]} ${NONE:-d} ${SUB.n} ${SUB.outputs.TOTAL:2:5}';
    expect(await print(text, { shell: ['bash'] })).toBe('1999 y d 4 touch\n');
  });

  it('to a positional parameter needs braces', async () => {
    const positional = ['{"k":"v"}', '{"k":"w"}'];
    expect(await print('echo "${1.k} ${2.k} $1.k ${1:1:3}"', { positional })).toBe('v w {"k":"v"}.k "k"\n');
  });

  it('can contain a NUL, which a process cannot receive', async () => {
    const { end } = await runStep({ kind: 'command', command: 'echo ${SUB.n} ${SUB.nul}' }, choose());
    expect(end.error).toBeDefined();
  });

  it('is left for the shell to reject when it is unknown to the engine', async () => {
    const { end } = await runStep({ kind: 'command', command: 'echo ${OTHER.key}' }, choose());
    expect(end.error).toMatch(/bad substitution/i);
  });

  it('is left in text for other interpreters', async () => {
    expect(await print('console.log("${SUB.n} $SUB.n")', { shell: ['node'] })).toBe('${SUB.n} $SUB.n\n');
  });
});

describe('script', () => {
  const run = async (script: string, choice?: StepChoice) =>
    runStep({ kind: 'script', script }, choose(choice));

  it.each(['sh', 'bash', '/bin/bash', '/usr/bin/env bash', '/usr/bin/env -S bash -u'])(
    'by #!%s has its references bound',
    async (interpreter) => {
      const line = interpreter.startsWith('/') ? interpreter : `/bin/${interpreter}`;
      const body = "\ncat <<E\n${SUB.n} it's\nE\nprintf %s '${SUB.n}'\n";
      const { stdout } = await run(`#!${line}${body}`);
      expect(stdout).toBe("4 it's\n${SUB.n}");
    },
  );

  it('by #!node has none', async () => {
    const { stdout } = await run(
      `#!${process.execPath}\nconst SUB = { n: 1 };\nconsole.log(\`\${SUB.n}\`);\n`,
    );
    expect(stdout).toBe('1\n');
  });
});
