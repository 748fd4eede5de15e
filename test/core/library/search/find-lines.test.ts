import { expect, test } from 'vitest';
import { createFinder } from '../../../../core/library/search/find-lines.ts';
import { systemClock } from '../../../../core/system-clock.ts';

const find = (query: string, isRegex: boolean, text: string) =>
  createFinder(query, isRegex, systemClock)(text);

test('a text is found whatever its case, and stands for nothing but itself', async () => {
  const { matches } = await find('A.*', false, 'x\na.*b\nabc\n');
  expect(matches).toEqual([{ lineNumber: 2, startLine: 1, lines: ['x', 'a.*b', 'abc', ''] }]);
});

test('a regular expression is found in lines, whatever its case', async () => {
  const { matches, more } = await find('^A.*b$', true, 'x\na.*b\r\nabc\n');
  expect(matches.map(({ lineNumber }) => lineNumber)).toEqual([2]);
  expect(more).toBe(false);
});

test('of many lines the first twenty are told of', async () => {
  const { matches, more } = await find('[0-9]', true, '7\n'.repeat(21));
  expect(matches).toHaveLength(20);
  expect(more).toBe(true);
});

test('a pattern on which other engines never end is searched for like any other', async () => {
  expect(await find('(a+)+$', true, `${'a'.repeat(300_000)}b`)).toEqual({ matches: [], more: false });
});

test('an invalid regular expression is refused', () => {
  expect(() => createFinder('(', true, systemClock)).toThrow(
    expect.objectContaining({ code: 'bad_request', details: { field: 'q' } }),
  );
  expect(() => createFinder('(', true, systemClock)).toThrow(
    'q: Invalid regular expression: missing closing )',
  );
});
