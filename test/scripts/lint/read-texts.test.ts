import { expect, it } from 'vitest';
import { readTexts } from '../../../scripts/lint/read-texts.ts';

const read = (source: string): string[] =>
  readTexts('a.tsx', source).map(({ line, text }) => `${line} ${text}`);

it('finds texts in JSX, labels and messages', () => {
  expect(
    read(`
const page = <p aria-label="Run status" className="a b">
  Runs of <b>today</b>
</p>;
throw new AppError('not_found', \`There is no workflow "\${name}" here.\`);
const options = { title: 'Delete workflow?', kind: 'Retry' };
`),
  ).toEqual([
    '2 Run status',
    '3 Runs of',
    '3 today',
    '5 There is no workflow "…" here.',
    '6 Delete workflow?',
    '6 Retry',
  ]);
});

it('ignores strings for programs', () => {
  expect(
    read(`
import a from './some file.ts';
type Kind = 'two words';
const sql = 'SELECT a FROM b';
if (kind === 'two words') new RegExp('a b');
const code = ['application/json', 'engine.run', 'flex items-center'];
`),
  ).toEqual([]);
});
