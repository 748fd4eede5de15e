import { expect, test } from 'vitest';
import { splitAtMatches, createMatchFinder } from '../../../../renderer/features/search/search-page.tsx';

const mark = async (line: string, query: string, isPattern = false): Promise<string> => {
  const find = await createMatchFinder(query, isPattern);
  return splitAtMatches(line, find)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('');
};

test('highlights the match in its line', async () => {
  expect(await mark('Echo echo', 'ECHO')).toBe('[Echo] [echo]');
  expect(await mark('a.b axb', 'a.b')).toBe('[a.b] axb');
  expect(await mark('a.b axb', 'a.b', true)).toBe('[a.b] [axb]');
  expect(await mark('7 up', '[[:digit:]]', true)).toBe('[7] up');
  expect(await mark('same (line', '(', true)).toBe('same (line');
  expect(await mark('abc', 'x*', true)).toBe('abc');
});
