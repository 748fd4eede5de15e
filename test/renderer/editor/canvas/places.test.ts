import { expect, test } from 'vitest';
import { alignCards } from '../../../../renderer/editor/canvas/select-actions.ts';
import {
  layOutHandlerLane,
  transferPositions,
  layOutNewSteps,
} from '../../../../renderer/editor/canvas/free-positions.ts';
import { relayout } from '../../../../renderer/editor/canvas/card-positions.ts';
import { LayoutAutosave } from '../../../../renderer/editor/canvas/layout-file.ts';
import { cardSize } from '../../../../renderer/graph/compute-layout.ts';
import { quickLayout } from '../../../../renderer/graph/quick-layout.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { drawSteps, drawText } from '../editor-harness.tsx';

const positions = new Map([
  ['step:a', { x: 0, y: 0 }],
  ['step:b', { x: 252, y: 0 }],
]);

test('a new step is placed after its dependencies, next to other steps, and moves nothing', () => {
  const graph = drawSteps({ a: [], b: ['a'], c: ['a'], d: ['c'] });
  const placed = layOutNewSteps(graph, positions, 'RIGHT');
  expect(placed.get('step:a')).toBe(positions.get('step:a'));
  expect(placed.get('step:c')).toEqual({ x: 252, y: cardSize.height + 16 });
  expect(placed.get('step:d')).toEqual({ x: 504, y: cardSize.height + 16 });
});

test('a step without connections is placed below all others', () => {
  const placed = layOutNewSteps(drawSteps({ a: [], b: ['a'], lonely: [] }), positions, 'DOWN');
  expect(placed.get('step:lonely')).toEqual({ x: 0, y: cardSize.height + 16 });
});

test('a renamed step keeps its position, and a restored one gets its old position', () => {
  const before = drawSteps({ a: [], b: ['a'] });
  const renamed = transferPositions(before, drawSteps({ a: [], c: ['a'] }), positions);
  expect(renamed.get('step:c')).toBe(positions.get('step:b'));
  expect(transferPositions(before, drawSteps({ a: [] }), positions).get('step:b')).toBe(
    positions.get('step:b'),
  );
});

test('aligns and distributes cards', () => {
  const spots = new Map([...positions, ['step:c', { x: 900, y: 40 }]]);
  const ids = [...spots.keys()];
  expect([...alignCards(spots, ids, 'left').values()].map(({ x }) => x)).toEqual([0, 0, 0]);
  expect([...alignCards(spots, ids, 'columns').values()].map(({ x }) => x)).toEqual([0, 450, 900]);
  expect(alignCards(spots, [], 'top').size).toBe(0);
});

test('the handler lane is below all steps and lists missing handlers', () => {
  const graph = drawText('steps:\n  - echo a\nhandlerOn:\n  exit: echo done\n');
  const lane = layOutHandlerLane(graph, new Map([['step:cmd_1', { x: 40, y: 100 }]]));
  expect(lane.y).toBeGreaterThan(100 + cardSize.height);
  expect(lane.missing).toEqual(['init', 'success', 'failure', 'abort']);
  expect(lane.positions.get('handler:exit')!.y).toBeGreaterThan(lane.y);
});

test('positions are saved once, after a pause, never in two writes at a time', async () => {
  const clock = new FakeClock();
  const written: number[] = [];
  let finish = (): void => undefined;
  const autosave = new LayoutAutosave({
    clock,
    put: ({ nodes }) => {
      written.push(nodes['a']!.x);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
    onFailure: () => undefined,
  });
  const keep = (x: number): void => autosave.keep({ nodes: { a: { x, y: 0 } } });
  keep(1);
  keep(2);
  expect(written).toEqual([]);
  clock.advance(1000);
  expect(written).toEqual([2]);
  keep(3);
  clock.advance(1000);
  expect(written).toEqual([2]);
  finish();
  await new Promise(setImmediate);
  expect(written).toEqual([2, 3]);
});

test('lays out a large graph in this thread, in one pass', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `s${index}`);
  const graph = drawSteps(
    Object.fromEntries(names.map((name, index) => [name, index < 8 ? [] : [`s${index - 8}`]])),
  );
  const laidOut = await relayout(graph, 'RIGHT');
  expect(laidOut.positions).toEqual(quickLayout(graph, 'RIGHT'));
  expect(laidOut.routes.size).toBe(0);
});
