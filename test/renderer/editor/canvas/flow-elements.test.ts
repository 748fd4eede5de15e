import { expect, test } from 'vitest';
import { reuseLines, toLines } from '../../../../renderer/editor/canvas/flow-elements.ts';
import { drawSteps } from '../editor-harness.tsx';

const linesOf = (steps: Parameters<typeof drawSteps>[0]) => toLines(drawSteps(steps), new Map(), new Set());

test('an unchanged list of edges keeps its identity, and so do unchanged edges', () => {
  const before = linesOf({ a: [], b: ['a'], c: ['b'] });
  expect(reuseLines(before, linesOf({ a: [], b: ['a'], c: ['b'] }))).toBe(before);
  const after = reuseLines(before, linesOf({ a: [], b: ['a'], c: ['a'] }));
  expect(after.map(({ ariaLabel }) => ariaLabel)).toEqual(['a to b', 'a to c']);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});
