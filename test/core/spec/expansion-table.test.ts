import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindVariables } from '../../../core/executors/shell/bind-variables.ts';
import { readDialect } from '../../../core/executors/shell/shell.ts';
import { expandTemplate, expandVariables, type StepProperty } from '../../../core/spec/expand.ts';

/** The rows of all tables of docs/expansion.md, as the text in their code spans; the third cell is prose. */
function readRows(): { heading: string; first: string; second: string; third: string }[] {
  const page = readFileSync(new URL('../../../docs/expansion.md', import.meta.url), 'utf8');
  let heading = '';
  return page.split('\n').flatMap((line) => {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length < 4 || !cells[1]!.startsWith('`')) return [];
    return [{ heading, first: readCode(cells[1]!), second: readCode(cells[2]!), third: cells[3]! }];
  });
}

/** The text of a code span; an empty cell is the empty string. */
function readCode(cell: string): string {
  if (cell === '') return '';
  const match = /^(`+)( ?)(.*?)\2\1$/.exec(cell);
  if (match === null) throw new Error(`not a code span: ${cell}`);
  return match[3]!;
}

const rows = readRows();
const rowsOf = (begins: string) => rows.filter(({ heading }) => heading.startsWith(begins));
const given = rowsOf('Variables in');
const variables = new Map(given.map(({ first, second }) => [first, second]));
const inShells = rowsOf('Commands and scripts');
const examples = rows.filter((row) => !given.includes(row) && !inShells.includes(row));

const steps: Record<string, Record<StepProperty, string>> = {
  'load-all': { stdout: '/logs/stdout.log', stderr: '/logs/stderr.log', exitCode: '3' },
  last: { stdout: '/logs/last.log', stderr: '/logs/last.log', exitCode: '0' },
  next: { stdout: '', stderr: '', exitCode: '' },
};
const scope = {
  lookup: (name: string) => variables.get(name),
  stepProperty: (id: string, property: StepProperty) => steps[id]?.[property],
};

const runShell = (shell: string, command: string, env: Record<string, string> = {}): string =>
  execFileSync(shell, ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, ...Object.fromEntries(variables), ...env },
  });

describe('docs/expansion.md', () => {
  it('has its variables and examples where this test expects them', () => {
    expect(variables.size).toBe(8);
    expect(examples.length).toBeGreaterThan(60);
    expect(inShells.length).toBeGreaterThan(10);
  });

  it.each(examples)('$heading: $first becomes $second', async ({ first, second, third }) => {
    const { value, warnings } = await expandTemplate(first, {
      ...scope,
      runCommand: async (command) => runShell('sh', command),
    });
    expect(value).toBe(second);
    const isWarned = /with a warning/.test(third) || third === 'the same';
    expect(warnings).toHaveLength(isWarned ? 1 : 0);
  });

  it.each(inShells.flatMap((row) => ['sh', 'bash'].map((shell) => ({ ...row, shell }))))(
    '$shell: $first prints $second',
    async ({ first, second, shell }) => {
      const surroundings = {
        env: Object.fromEntries(variables),
        positional: [],
        expand: async (text: string) => expandVariables(text, scope).value,
      };
      const { text, extraEnv } = await bindVariables(surroundings, readDialect([shell]), first);
      expect(runShell(shell, text, extraEnv)).toBe(`${second}\n`);
    },
  );
});
