import { expect, test } from 'vitest';
import { quickLayout, spreadPositions } from '../../../renderer/graph/quick-layout.ts';
import { cardSize } from '../../../renderer/graph/compute-layout.ts';
import type { GraphEdge, GraphModel, GraphNode } from '../../../renderer/graph/build-graph.ts';

/** A graph of steps, each with its dependencies. */
function graphOf(steps: Readonly<Record<string, readonly string[]>>): GraphModel {
  const nodes = Object.keys(steps).map((id) => ({ id }) as GraphNode);
  const edges = Object.entries(steps).flatMap(([target, sources]) =>
    sources.map((source): GraphEdge => ({ id: `${source}\n${target}`, source, target })),
  );
  return { steps: nodes, handlers: [], edges };
}

/** Stages of eight steps, each depending on two of the previous stage; some without edges. */
function wideGraph(count: number): GraphModel {
  const steps: Record<string, string[]> = {};
  for (let index = 0; index < count; index += 1) {
    const isLonely = index % 50 === 49;
    const sources = index < 8 || isLonely ? [] : [`s${index - 8}`, `s${index - 1 - ((index * 5) % 8)}`];
    steps[`s${index}`] = [...new Set(sources)].filter((name) => Number(name.slice(1)) % 50 !== 49);
  }
  return graphOf(steps);
}

test('cards never overlap, in either direction', () => {
  for (const direction of ['RIGHT', 'DOWN'] as const) {
    const positions = [...quickLayout(wideGraph(400), direction).values()];
    expect(positions).toHaveLength(400);
    const overlaps = positions.flatMap((one, index) =>
      positions
        .slice(index + 1)
        .filter(
          (other) =>
            Math.abs(one.x - other.x) < cardSize.width + 8 && Math.abs(one.y - other.y) < cardSize.height + 8,
        ),
    );
    expect(overlaps).toEqual([]);
  }
});

test('every edge advances by at least a card and a gap', () => {
  const graph = wideGraph(400);
  const right = quickLayout(graph, 'RIGHT');
  const down = quickLayout(graph, 'DOWN');
  for (const { source, target } of graph.edges) {
    expect(right.get(target)!.x - right.get(source)!.x).toBeGreaterThanOrEqual(cardSize.width + 48);
    expect(down.get(target)!.y - down.get(source)!.y).toBeGreaterThanOrEqual(cardSize.height + 48);
  }
});

test('the layout is deterministic, and a step appended at the end keeps the order of the others', () => {
  const steps = { a: [], b: ['a'], c: ['a'], d: ['a'], e: ['b', 'c'], f: ['d'] };
  const positions = quickLayout(graphOf(steps), 'RIGHT');
  expect(quickLayout(graphOf(steps), 'RIGHT')).toEqual(positions);
  const more = quickLayout(graphOf({ ...steps, g: ['f'] }), 'RIGHT');
  const order = (all: typeof positions) => ['b', 'c', 'd'].toSorted((x, y) => all.get(x)!.y - all.get(y)!.y);
  expect(order(more)).toEqual(order(positions));
  for (const name of Object.keys(steps)) expect(more.get(name)!.x).toBe(positions.get(name)!.x);
});

test('a step is centered on its dependents, and edges do not cross needlessly', () => {
  const fan = quickLayout(graphOf({ a: [], b: ['a'], c: ['a'], d: ['a'], e: ['b', 'c', 'd'] }), 'RIGHT');
  expect(fan.get('a')!.y).toBe(fan.get('c')!.y);
  expect(fan.get('e')!.y).toBe(fan.get('c')!.y);
  const crossed = quickLayout(graphOf({ root: [], a: ['root'], b: ['root'], x: ['b'], y: ['a'] }), 'RIGHT');
  expect(crossed.get('a')!.y < crossed.get('b')!.y).toBe(crossed.get('y')!.y < crossed.get('x')!.y);
});

test('unconnected components are placed next to each other, in rows', () => {
  const lonely = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`s${index}`, []]));
  const positions = [...quickLayout(graphOf(lonely), 'RIGHT').values()];
  const width = Math.max(...positions.map(({ x }) => x)) + cardSize.width;
  const height = Math.max(...positions.map(({ y }) => y)) + cardSize.height;
  expect(width / height).toBeGreaterThan(0.8);
  expect(width / height).toBeLessThan(3);
});

test('places steps of a dependency cycle, too', () => {
  const positions = quickLayout(graphOf({ a: ['c'], b: ['a'], c: ['b'], d: ['d'] }), 'RIGHT');
  expect(['a', 'b', 'c'].map((name) => positions.get(name)!.x)).toEqual([0, 252, 504]);
  expect(positions.has('d')).toBe(true);
  expect(quickLayout(graphOf({}), 'RIGHT').size).toBe(0);
});

test('positions that are too close are spread around their mean', () => {
  expect(spreadPositions([0, 100, 200], 10)).toEqual([0, 100, 200]);
  expect(spreadPositions([5, 5, 5], 10)).toEqual([-5, 5, 15]);
  expect(spreadPositions([50, 0], 10)).toEqual([20, 30]);
});
