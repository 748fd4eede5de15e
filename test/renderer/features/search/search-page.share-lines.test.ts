import { expect, test } from 'vitest';
import { dedupeContextLines } from '../../../../renderer/features/search/search-page.tsx';

const file = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const matchAt = (lineNumber: number) => {
  const startLine = Math.max(1, lineNumber - 2);
  return { lineNumber, startLine, lines: file.slice(startLine - 1, lineNumber + 2) };
};

test('shows lines around neighbouring matches once, and each match keeps its own', () => {
  const shown = dedupeContextLines([1, 4, 5, 12].map(matchAt));
  expect(shown.map(({ lines }) => lines)).toEqual([
    ['line 1', 'line 2', 'line 3'],
    ['line 4'],
    ['line 5', 'line 6', 'line 7'],
    ['line 10', 'line 11', 'line 12', 'line 13', 'line 14'],
  ]);
  for (const { lineNumber, startLine, lines } of shown)
    expect(lines[lineNumber - startLine]).toBe(`line ${lineNumber}`);
});
