import { expect, test } from 'vitest';
import { createFinder } from '../../../../core/home/library/find-lines.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';

const find = (query: string, isRegex: boolean, text: string) =>
  createFinder(query, isRegex, systemClock)(text);

test('finds text in any case, literally', async () => {
  const { matches } = await find('A.*', false, 'x\na.*b\nabc\n');
  expect(matches).toEqual([{ lineNumber: 2, startLine: 1, lines: ['x', 'a.*b', 'abc', ''] }]);
});

test('finds a regular expression in lines, in any case', async () => {
  const { matches, more } = await find('^A.*b$', true, 'x\na.*b\r\nabc\n');
  expect(matches.map(({ lineNumber }) => lineNumber)).toEqual([2]);
  expect(more).toBe(false);
});

test('returns the first twenty lines', async () => {
  const { matches, more } = await find('[0-9]', true, '7\n'.repeat(21));
  expect(matches).toHaveLength(20);
  expect(more).toBe(true);
});

test('searches for a pattern on which backtracking engines never end like any other', async () => {
  expect(await find('(a+)+$', true, `${'a'.repeat(300_000)}b`)).toEqual({ matches: [], more: false });
});

test('rejects an invalid regular expression', () => {
  expect(() => createFinder('(', true, systemClock)).toThrow(
    expect.objectContaining({ code: 'bad_request', details: { field: 'q' } }),
  );
  expect(() => createFinder('(', true, systemClock)).toThrow(
    'q: Invalid regular expression: missing closing )',
  );
});
