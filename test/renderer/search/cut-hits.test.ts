import { expect, test } from 'vitest';
import { cutHits } from '../../../renderer/features/search/cut-hits.ts';

const marked = (line: string, query: string, isPattern = false): string =>
  cutHits(line, query, isPattern)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('');

test('what was searched for is marked in its line', () => {
  expect(marked('Echo echo', 'ECHO')).toBe('[Echo] [echo]');
  expect(marked('a.b axb', 'a.b')).toBe('[a.b] axb');
  expect(marked('a.b axb', 'a.b', true)).toBe('[a.b] [axb]');
  expect(marked('same (line', '(', true)).toBe('same (line');
  expect(marked('abc', 'x*', true)).toBe('abc');
});
