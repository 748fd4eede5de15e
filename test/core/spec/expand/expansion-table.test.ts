import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandTemplate } from '../../../../core/spec/expand/expand.ts';

/** The rows of all tables of docs/expansion.md, as the text in their code spans; the third cell is prose. */
function readRows(): { heading: string; first: string; second: string; third: string }[] {
  const page = readFileSync(new URL('../../../../docs/expansion.md', import.meta.url), 'utf8');
  let heading = '';
  return page.split('\n').flatMap((line) => {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length < 4 || !cells[1]!.startsWith('`')) return [];
    return [{ heading, first: readCode(cells[1]!), second: readCode(cells[2]!), third: cells[3]! }];
  });
}

/** The text of a code span; an empty cell is the empty text. */
function readCode(cell: string): string {
  if (cell === '') return '';
  const match = /^(`+)( ?)(.*?)\2\1$/.exec(cell);
  if (match === null) throw new Error(`not a code span: ${cell}`);
  return match[3]!;
}

const rows = readRows();
const variables = new Map(
  rows
    .filter(({ heading }) => heading.startsWith('Variables in'))
    .map(({ first, second }) => [first, second]),
);
const examples = rows.filter(({ heading }) => !heading.startsWith('Variables in'));

const runCommand = async (command: string): Promise<string> =>
  execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, ...Object.fromEntries(variables) },
  });

describe('docs/expansion.md', () => {
  it('has its variables and examples where this test looks for them', () => {
    expect(variables.size).toBe(7);
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples)('$heading: $first becomes $second', async ({ first, second, third }) => {
    const { value, warnings } = await expandTemplate(first, {
      lookup: (name) => variables.get(name),
      runCommand,
    });
    expect(value).toBe(second);
    const isWarned = /with a warning/.test(third) || third === 'the same';
    expect(warnings).toHaveLength(isWarned ? 1 : 0);
  });
});
