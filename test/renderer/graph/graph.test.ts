import { expect, test } from 'vitest';
import { buildGraph } from '../../../renderer/graph/build-graph.ts';
import { GraphStore } from '../../../renderer/graph/graph-store.ts';
import { chooseDirection } from '../../../renderer/graph/quick-layout.ts';
import {
  chooseLaneSide,
  withHandlerLane,
  cardSize,
  toLayoutInput,
} from '../../../renderer/graph/compute-layout.ts';
import { roundedPath, findNearestNode, showsAll } from '../../../renderer/graph/graph-geometry.ts';
import { collectAppearances, getColour, formatNode } from '../../../renderer/graph/step-card.tsx';
import type { ApprovalView } from '../../../core/contract/run-views.ts';
import {
  makeApprovalView,
  makeRunView,
  makeStepSpec,
  makeStepRunView,
  makeWorkflowSpec,
} from '../../harness/samples.ts';

const workflow = makeWorkflowSpec(
  [
    makeStepSpec('fetch'),
    makeStepSpec('build', ['fetch', 'gone'], {
      retry: { limit: 2, intervalSec: 5, exitCodes: [], backoff: 1 },
    }),
    makeStepSpec('report', ['fetch', 'build']),
  ],
  { handlers: { exit: makeStepSpec('onExit'), init: makeStepSpec('onInit') } },
);

test('a workflow becomes nodes, edges and handlers in execution order', () => {
  const graph = buildGraph(workflow);
  expect(graph.edges.map(({ source, target }) => `${source} > ${target}`)).toEqual([
    'step:fetch > step:build',
    'step:fetch > step:report',
    'step:build > step:report',
  ]);
  expect(graph.handlers.map(({ name, ordinal }) => `${ordinal} ${name}`)).toEqual(['4 onInit', '5 onExit']);
  expect(graph.steps[1]).toMatchObject({
    detail: 'echo build',
    isProse: false,
    traits: ['retries up to 2 times, 5 s apart'],
  });
});

test('the layout gets cards of one size and their edges, without handlers', () => {
  const input = toLayoutInput(buildGraph(workflow), 'DOWN');
  expect(input.children).toEqual(
    ['fetch', 'build', 'report'].map((name) => ({ id: `step:${name}`, ...cardSize })),
  );
  expect(input.edges).toHaveLength(3);
  expect(input.layoutOptions?.['elk.direction']).toBe('DOWN');
});

test('lays out a large graph with faster options', () => {
  const large = makeWorkflowSpec(Array.from({ length: 301 }, (_, index) => makeStepSpec(`s${index}`)));
  expect(
    toLayoutInput(buildGraph(large), 'RIGHT').layoutOptions?.['elk.layered.nodePlacement.strategy'],
  ).toBe('SIMPLE');
});

test('handlers are in their own lane, apart from the steps', () => {
  const graph = buildGraph(workflow);
  const { lane, positions } = withHandlerLane(graph, { positions: new Map(), routes: new Map() }, 'below', {
    width: 200,
    height: 300,
  });
  expect(lane!.y).toBeGreaterThan(300);
  for (const { id } of graph.handlers) {
    const { x, y } = positions.get(id)!;
    expect(x + cardSize.width).toBeLessThan(lane!.x + lane!.width);
    expect(y + cardSize.height).toBeLessThan(lane!.y + lane!.height);
    expect(y).toBeGreaterThan(lane!.y);
  }
  expect(positions.get('handler:onExit')!.x - positions.get('handler:onInit')!.x).toBeGreaterThan(
    cardSize.width,
  );
});

test('a route is drawn through its corners, with a radius limited by its segments', () => {
  expect(roundedPath([])).toBe('');
  expect(
    roundedPath([
      { x: 0, y: 0 },
      { x: 50, y: 0 },
    ]),
  ).toBe('M0 0L50 0');
  expect(
    roundedPath([
      { x: 0, y: 0 },
      { x: 40, y: 0 },
      { x: 40, y: 40 },
    ]),
  ).toBe('M0 0L30 0Q40 0 40 10L40 40');
  expect(
    roundedPath([
      { x: 0, y: 0 },
      { x: 8, y: 0 },
      { x: 8, y: 40 },
    ]),
  ).toBe('M0 0L4 0Q8 0 8 4L8 40');
});

test('arrow keys move to the nearest node in that direction, same row first', () => {
  const positions = new Map([
    ['a', { x: 0, y: 0 }],
    ['near but below', { x: 100, y: 90 }],
    ['same row', { x: 240, y: 0 }],
    ['left', { x: -300, y: 10 }],
  ]);
  expect(findNearestNode(positions, 'a', 'ArrowRight')).toBe('same row');
  expect(findNearestNode(positions, 'a', 'ArrowDown')).toBe('near but below');
  expect(findNearestNode(positions, 'a', 'ArrowLeft')).toBe('left');
  expect(findNearestNode(positions, 'a', 'ArrowUp')).toBeUndefined();
  expect(findNearestNode(positions, 'a', 'Enter')).toBeUndefined();
});

test('only changed styles are new objects', () => {
  const before = collectAppearances(makeRunView(), new Map());
  const run = makeRunView({
    steps: [makeStepRunView('fetch', { status: 'running' }), makeStepRunView('build')],
  });
  const after = collectAppearances(run, before);
  expect(after.get('step:fetch')).toMatchObject({ status: 'running' });
  expect(after.get('step:build')).toBe(before.get('step:build'));
  expect(after.get('handler:onExit')).toBe(before.get('handler:onExit'));
});

test('a step with items shows how many are done', () => {
  const items = { total: 120, started: 40, running: 3, succeeded: 35, failed: 2 };
  const lookAt = (counts: typeof items, before: ReturnType<typeof collectAppearances> = new Map()) =>
    collectAppearances(makeRunView({ steps: [makeStepRunView('fetch', { items: counts })] }), before);
  const appearances = lookAt(items);
  const appearance = appearances.get('step:fetch')!;
  expect(appearance.items).toBe('37/120');
  expect(lookAt({ ...items, started: 41, running: 4 }, appearances).get('step:fetch')).toBe(appearance);
  expect(lookAt({ ...items, succeeded: 36 }, appearances).get('step:fetch')!.items).toBe('38/120');
  const node = buildGraph(workflow).steps[0]!;
  expect(formatNode(node, appearance, 5)).toContain(', 37 of 120 items done, ');
});

test('a step waiting for approval has its own label and colour, until it is answered', () => {
  const lookAt = (approval: ApprovalView) =>
    collectAppearances(
      makeRunView({ steps: [makeStepRunView('fetch', { status: 'running', approval })] }),
      new Map(),
    ).get('step:fetch')!;
  const node = buildGraph(workflow).steps[0]!;
  const asking = lookAt(makeApprovalView());
  expect(formatNode(node, asking, 5)).toContain(', running, waiting for approval, ');
  expect(getColour(asking)).toBe('var(--accent)');
  const answered = lookAt(makeApprovalView({ decision: 'approved' }));
  expect(formatNode(node, answered, 5)).not.toContain('waiting for approval');
  expect(getColour(answered)).toBe('var(--status-running)');
});

test('the card of an approval step shows its prompt', () => {
  const action = { kind: 'executor', type: 'approval', config: { question: 'Release it?\nNow?' } } as const;
  expect(buildGraph(makeWorkflowSpec([makeStepSpec('ask', [], { action })])).steps[0]?.detail).toBe(
    'Release it?',
  );
});

test('a node announces its name, status, dependencies and position', () => {
  const node = buildGraph(workflow).steps[2]!;
  const appearance = { status: 'failed', startedAt: undefined, finishedAt: undefined, attempts: 2 } as const;
  expect(formatNode(node, appearance, 5)).toBe(
    'step report, failed, attempt 2, depends on fetch and build, 3 of 5',
  );
  expect(formatNode(node, undefined, 5)).toBe('step report, depends on fetch and build, 3 of 5');
});

test('a long graph in a tall view runs downwards, in a wide one to the right, as does a broad one', () => {
  const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
  const chain = buildGraph(
    makeWorkflowSpec(names.map((name, index) => makeStepSpec(name, names.slice(index - 1, index)))),
  );
  const broad = buildGraph(makeWorkflowSpec(names.map((name) => makeStepSpec(name))));
  const loop = buildGraph(makeWorkflowSpec([makeStepSpec('a', ['b']), makeStepSpec('b', ['a'])]));
  expect(chooseDirection(chain, { width: 1000, height: 800 })).toBe('DOWN');
  expect(chooseDirection(chain, { width: 2400, height: 300 })).toBe('RIGHT');
  expect(chooseDirection(broad, { width: 1000, height: 800 })).toBe('RIGHT');
  expect(chooseDirection(loop, { width: 1000, height: 800 })).toBe('RIGHT');
});

test('a change of a node notifies only its subscribers', () => {
  const store = new GraphStore();
  const notified: string[] = [];
  const appearance = (status: 'running' | 'succeeded') =>
    ({ status, startedAt: undefined, finishedAt: undefined, attempts: 1 }) as const;
  const [a, b] = [appearance('running'), appearance('running')];
  store.show(
    new Map([
      ['a', a],
      ['b', b],
    ]),
  );
  const dispose = store.subscribe(['a', 'b'], () => notified.push('line'));
  store.subscribe(['a'], () => notified.push('a'));
  store.subscribe(['b'], () => notified.push('b'));
  store.show(
    new Map([
      ['a', appearance('succeeded')],
      ['b', b],
    ]),
  );
  expect(notified).toEqual(['line', 'a']);
  dispose();
  store.select('b');
  store.select('b');
  store.select(undefined);
  expect(notified).toEqual(['line', 'a', 'b', 'b']);
});

test('handlers are placed where the whole graph is largest', () => {
  const narrow = { width: 520, height: 600 };
  expect(chooseLaneSide(1, 'DOWN', { width: 650, height: 430 }, narrow)).toBe('below');
  expect(chooseLaneSide(1, 'DOWN', { width: 204, height: 430 }, narrow)).toBe('beside');
  expect(chooseLaneSide(2, 'RIGHT', { width: 900, height: 100 }, { width: 1200, height: 900 })).toBe('below');
});

test('a viewport that shows the whole graph needs no minimap', () => {
  const frame = { width: 800, height: 600 };
  const area = { x: 0, y: 0, width: 1600, height: 1000 };
  expect(showsAll({ x: 0, y: 20, zoom: 0.5 }, frame, area)).toBe(true);
  expect(showsAll({ x: 0, y: 20, zoom: 0.6 }, frame, area)).toBe(false);
  expect(showsAll({ x: -20, y: 20, zoom: 0.5 }, frame, area)).toBe(false);
  expect(showsAll({ x: 0, y: 120, zoom: 0.5 }, frame, area)).toBe(false);
});
