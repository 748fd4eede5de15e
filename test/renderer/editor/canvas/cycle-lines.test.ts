import { expect, test } from 'vitest';
import type { Workflow } from '../../../../core/model/workflow.ts';
import { buttonGrowthAt } from '../../../../renderer/editor/canvas/card-content.tsx';
import { toLines } from '../../../../renderer/editor/canvas/flow-elements.ts';
import { buildGraph } from '../../../../renderer/graph/build-graph.ts';
import { cardSize } from '../../../../renderer/graph/compute-layout.ts';
import { routeBackwards } from '../../../../renderer/graph/graph-geometry.ts';
import { drawSteps } from '../editor-harness.tsx';

test('the lines of a cycle are marked, and named as such', () => {
  const lines = toLines(drawSteps({ a: ['c'], b: ['a'], c: ['b'], d: ['c'] }), new Map(), new Set());
  expect(lines.map(({ ariaLabel, data }) => [ariaLabel, data?.isInCycle])).toEqual([
    ['c to a, part of a dependency cycle', true],
    ['a to b, part of a dependency cycle', true],
    ['b to c, part of a dependency cycle', true],
    ['c to d', false],
  ]);
});

test('a read-only graph marks them too', () => {
  const steps = [
    { name: 'a', depends: ['b'], action: { kind: 'command', command: 'x' } },
    { name: 'b', depends: ['a'], action: { kind: 'command', command: 'x' } },
  ].map((step) => ({ ...step, preconditions: [], continueOn: {} }));
  const { edges } = buildGraph({ steps, handlers: {} } as unknown as Workflow);
  expect(edges.map(({ isInCycle }) => isInCycle)).toEqual([true, true]);
});

test('a line that leads back leads around the cards', () => {
  const [from, to] = [
    { x: 700, y: 26 },
    { x: 0, y: 26 },
  ];
  const route = routeBackwards(from, to, 'RIGHT') ?? [];
  expect([route[0], route.at(-1)]).toEqual([from, to]);
  // Below the row of cards on the way back.
  const back = route.filter(({ x }) => x > 0 && x < 700);
  expect(back).toEqual([]);
  expect(Math.max(...route.map(({ y }) => y))).toBeGreaterThan(26 + cardSize.height / 2);
  expect(routeBackwards(to, from, 'RIGHT')).toBeUndefined();
});

test('the button on a line never grows beyond the height of a card', () => {
  for (const zoom of [1, 0.5, 0.26, 0.1, 0.02])
    expect(24 * buttonGrowthAt(zoom)).toBeLessThanOrEqual(cardSize.height);
});
