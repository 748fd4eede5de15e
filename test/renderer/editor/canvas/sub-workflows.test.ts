import { expect, test } from 'vitest';
import {
  readLayout,
  toLayoutView,
  transferExpandedBounds,
  fitExpandedBounds,
} from '../../../../renderer/editor/canvas/layout-view.ts';
import { layOutNewSteps } from '../../../../renderer/editor/canvas/free-positions.ts';
import { releaseSpace, reserveSpace } from '../../../../renderer/editor/canvas/expanded-bounds.ts';
import {
  indexEditedFile,
  indexSavedFile,
  listRuns,
  type FileIndex,
  foldLabel,
  foldBlocker,
  resolveFolds,
} from '../../../../renderer/editor/canvas/resolve-folds.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { drawSteps } from '../editor-harness.tsx';
import { analyze } from '../../../harness/workflow-texts.ts';

const text = `name: etl
steps:
  - { name: first, run: inner }
  - { name: self, run: etl }
  - { name: other, run: elsewhere }
  - { name: gone, run: nowhere }
  - { name: open, run: "\${WHICH}" }
---
name: inner
steps:
  - echo one
  - { name: deeper, run: deepest }
handlerOn:
  exit: echo bye
---
name: deepest
steps:
  - { name: back, run: inner }
  - { name: out, run: elsewhere.yaml }
`;

const elsewhere = loadSpec({ text: 'steps:\n  - echo a\n  - { name: home, run: etl }\n', file: 'elsewhere' });

function resolve(open: readonly string[], files: FileIndex = new Map()) {
  const analysis = analyze(text, 'etl.yaml');
  const file = indexEditedFile('etl', analysis);
  const toRead = new Set<string>();
  const folds = resolveFolds(
    listRuns(analysis.outline.documents[0]!),
    { file, chain: [file.workflows[0]!.identity], prefix: '' },
    { files: new Map([...files, ['etl', file]]), open: new Set(open), direction: 'RIGHT', toRead },
  );
  return { folds, toRead };
}

const known = new Map([
  [
    'elsewhere',
    indexSavedFile({
      fileName: 'elsewhere',
      workflow: elsewhere.workflows[0]!,
      localDags: [],
    } as unknown as Parameters<typeof indexSavedFile>[0]),
  ],
  ['nowhere', null],
]);

test('a step shows its sub-workflow: number of steps, recursion, or a missing workflow', () => {
  const before = resolve([]);
  expect([...before.toRead]).toEqual(['elsewhere', 'nowhere']);
  const { folds } = resolve([], known);
  expect([...folds.values()].map((fold) => [fold.path, foldLabel(fold)])).toEqual([
    ['first', '2 steps'],
    ['self', 'calls itself'],
    ['other', '2 steps'],
    ['gone', 'not found'],
  ]);
  expect(foldBlocker(folds.get('step:self')!)).toContain('calls itself');
});

test('an expanded sub-workflow shows its cards, edges and handlers, also nested ones', () => {
  const { folds } = resolve(['first', 'first/deeper', 'first/deeper/back', 'self'], known);
  const { inner, home } = folds.get('step:first')!;
  expect(home).toEqual({ fileName: 'etl', document: 1 });
  expect(inner!.cards.map(({ node }) => node.name)).toEqual(['cmd_1', 'deeper', 'exit']);
  expect(inner!.lines).toHaveLength(1);
  const deeper = inner!.cards[1]!;
  expect(deeper.width).toBe(deeper.fold!.inner!.width);
  // An enclosing workflow is not drawn again, wherever it is called from.
  expect(deeper.fold!.inner!.cards.map(({ fold }) => fold?.state)).toEqual(['recursive', 'folded']);
  expect(folds.get('step:self')!.inner).toBeUndefined();
  for (const { x, y, width, height } of inner!.cards) {
    expect(x + width).toBeLessThan(inner!.width);
    expect(y + height).toBeLessThan(inner!.height);
  }
});

const positions = new Map([
  ['step:a', { x: 0, y: 0 }],
  ['step:b', { x: 252, y: 0 }],
  ['step:c', { x: 504, y: 0 }],
  ['step:below', { x: 260, y: 68 }],
  ['step:far', { x: 252, y: 900 }],
]);

test('makes exactly the needed space after and below, and frees it again', () => {
  const size = { width: 400, height: 200 };
  const made = reserveSpace(positions, new Map(), { id: 'step:b', size, direction: 'RIGHT' });
  expect(made.room).toEqual({ ...size, right: 196, down: 148 });
  expect(made.positions.get('step:a')).toEqual({ x: 0, y: 0 });
  expect(made.positions.get('step:b')).toEqual({ x: 252, y: 0 });
  expect(made.positions.get('step:c')).toEqual({ x: 700, y: 0 });
  expect(made.positions.get('step:below')).toEqual({ x: 260, y: 216 });
  const closed = releaseSpace(made.positions, new Map([['step:b', made.room]]), 'step:b');
  expect(closed.positions).toEqual(positions);
  expect(closed.rooms.size).toBe(0);
  const free = reserveSpace(new Map([...positions].slice(0, 2)), new Map(), {
    id: 'step:b',
    size,
    direction: 'DOWN',
  });
  expect(free.room).toMatchObject({ right: 0, down: 0 });
});

test('the space follows its content, and new steps are placed next to it', () => {
  const graph = drawSteps({ a: [], b: ['a'], c: ['b'] });
  const { folds } = resolve(['first']);
  const drawn = {
    graph,
    folds: new Map([['step:b', folds.get('step:first')!]]),
    direction: 'RIGHT',
  } as const;
  const fitted = fitExpandedBounds({ positions, rooms: new Map() }, drawn)!;
  const room = fitted.rooms.get('step:b')!;
  expect(room.width).toBe(folds.get('step:first')!.inner!.width);
  expect(fitted.positions.get('step:c')!.x).toBe(252 + room.width + 48);
  // Items outside the graph take no space.
  expect(fitted.positions.get('step:below')).toEqual(positions.get('step:below'));
  expect(fitExpandedBounds(fitted, drawn)).toBeUndefined();
  const wider = drawSteps({ a: [], b: ['a'], c: ['b'], d: ['b'] });
  const placed = layOutNewSteps(wider, fitted.positions, 'RIGHT', fitted.rooms).get('step:d')!;
  expect(placed.x).toBe(252 + room.width + 48);
  expect(placed.y).toBeGreaterThan(0);
  expect(fitExpandedBounds(fitted, { ...drawn, folds: new Map() })!.positions.get('step:c')).toEqual(
    positions.get('step:c'),
  );
});

test('expanded sub-workflows are saved with the positions, by name, and follow a rename', () => {
  const graph = drawSteps({ a: [], b: ['a'] });
  const room = { width: 400, height: 200, right: 196, down: 0 };
  const opened = { open: new Set(['b', 'b/deeper']), rooms: new Map([['step:b', room]]) };
  const view = toLayoutView(graph, { positions, folded: new Set(), ...opened }, 'RIGHT');
  expect(readLayout(view)).toMatchObject(opened);
  const carried = transferExpandedBounds(graph, drawSteps({ a: [], c: ['a'] }), opened);
  expect([...carried.open]).toEqual(['c', 'c/deeper']);
  expect(carried.rooms.get('step:c')).toBe(room);
});
