import type { Node } from 'reactflow';
import { expect, test } from 'vitest';
import {
  drawBoxes,
  drawLines,
  findLineAt,
  findNodeAt,
  findNodesIn,
} from '../../../../renderer/editor/canvas/overview-cards.ts';

const at = (id: string, x: number, y: number, type = 'step'): Node => ({
  ...{ id, type, position: { x, y }, width: 204, height: 52, data: {} },
});
const cards = [at('a', 0, 0), at('b', 252, 68.4), at('lane', -20, -20, 'lane')];

test('zoomed-out cards are a single path of rectangles', () => {
  expect(drawBoxes(cards.slice(0, 2))).toBe('M0 0h204v52h-204zM252 68h204v52h-204z');
});

test('edges go from side to side with one bend; edges of hidden cards are left out', () => {
  const lines = [
    { id: '1', source: 'a', target: 'b' },
    { id: '2', source: 'a', target: 'gone' },
  ];
  expect(drawLines(cards, lines, 'RIGHT')).toBe('M204 26H228V94H252');
  expect(drawLines(cards, lines, 'DOWN')).toBe('M102 52V60H354V68');
});

test('a point and a box hit exactly the cards they touch', () => {
  expect(findNodeAt(cards, { x: 204, y: 52 })?.id).toBe('a');
  expect(findNodeAt(cards, { x: -10, y: -10 })).toBeUndefined();
  const ids = (x: number, y: number, width: number, height: number) =>
    findNodesIn(cards, { x, y, width, height }).map(({ id }) => id);
  expect(ids(200, 40, 60, 40)).toEqual(['a', 'b']);
  expect(ids(205, 0, 40, 400)).toEqual([]);
});

test('an edge can be clicked where it is visible', () => {
  const picture = { cards, lines: [{ id: '1', source: 'a', target: 'b' }], direction: 'RIGHT' } as const;
  expect(findLineAt(picture, { x: 235, y: 60 }, 10)?.id).toBe('1');
  expect(findLineAt(picture, { x: 245, y: 60 }, 10)).toBeUndefined();
});
