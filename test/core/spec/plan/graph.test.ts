import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findCycle,
  findCycles,
  findDownstream,
  orderTopologically,
  type GraphNode,
} from '../../../../core/spec/plan/graph.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const node = (name: string, ...depends: string[]): GraphNode => ({ name, depends });

describe('findCycle', () => {
  it('finds none in an acyclic graph', () => {
    expect(findCycle([])).toBeUndefined();
    expect(findCycle([node('c', 'a', 'b'), node('a'), node('b', 'a')])).toBeUndefined();
  });

  it.each([
    { graph: [node('a', 'a')], path: ['a', 'a'] },
    { graph: [node('a', 'b'), node('b', 'a')], path: ['a', 'b', 'a'] },
    { graph: [node('in'), node('a', 'in', 'c'), node('b', 'a'), node('c', 'b')], path: ['a', 'c', 'b', 'a'] },
    { graph: [node('behind', 'a'), node('a', 'b'), node('b', 'a')], path: ['a', 'b', 'a'] },
  ])('reports $path', ({ graph, path }) => {
    expect(findCycle(graph)).toEqual(path);
  });

  it('ignores an unknown dependency', () => {
    expect(findCycle([node('a', 'nobody')])).toBeUndefined();
  });

  it('reports a real path for any graph, and none exactly when an order exists', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const graphs = fc.array(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(graphs, (edges) => {
        const graph = names.map((name, index) => node(name, ...edges[index]!));
        const path = findCycle(graph);
        if (!path) {
          expect(orderTopologically(graph)).toHaveLength(names.length);
          return;
        }
        expect(path.length).toBeGreaterThan(1);
        expect(path.at(-1)).toBe(path[0]);
        expect(new Set(path).size).toBe(path.length - 1);
        for (const [index, name] of path.slice(0, -1).entries()) {
          expect(graph.find((one) => one.name === name)!.depends).toContain(path[index + 1]);
        }
      }),
      { seed: 4001, numRuns: propertyRuns(500) },
    );
  });

  it('handles a chain too long for recursion', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      node(`s${index}`, ...(index > 0 ? [`s${index - 1}`] : [])),
    );
    expect(findCycle(chain)).toBeUndefined();
    const closed = chain.map((one, index) => (index === 0 ? node('s0', 's19999') : one));
    expect(findCycle(closed)).toHaveLength(20_001);
  });
});

describe('orderTopologically', () => {
  it('puts each node after its dependencies, and keeps the file order otherwise', () => {
    expect(orderTopologically([node('d', 'b', 'c'), node('b', 'a'), node('a'), node('c', 'a')])).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('omits nodes on or behind a cycle', () => {
    expect(orderTopologically([node('ok'), node('a', 'b'), node('b', 'a'), node('behind', 'a')])).toEqual([
      'ok',
    ]);
  });
});

describe('findCycles', () => {
  it('numbers the nodes of each cycle, without those before and behind', () => {
    const graph = [
      ...[node('first'), node('a', 'b', 'first'), node('b', 'a'), node('between', 'a')],
      ...[node('c', 'd', 'between'), node('d', 'c'), node('self', 'self'), node('last', 'c')],
    ];
    const cycles = findCycles(graph);
    expect([...cycles.keys()].toSorted()).toEqual(['a', 'b', 'c', 'd', 'self']);
    expect(cycles.get('a')).toBe(cycles.get('b'));
    expect(cycles.get('c')).toBe(cycles.get('d'));
    expect(new Set(cycles.values()).size).toBe(3);
    expect(findCycles([node('a'), node('b', 'a')]).size).toBe(0);
  });
});

describe('findDownstream', () => {
  const graph = [node('a'), node('b', 'a'), node('c', 'b'), node('d', 'b'), node('other')];

  it('finds all direct and indirect dependents of a node', () => {
    expect(findDownstream(graph, ['b'])).toEqual(new Set(['c', 'd']));
    expect(findDownstream(graph, ['a', 'other'])).toEqual(new Set(['b', 'c', 'd']));
  });

  it('contains a start node only when it depends on another one', () => {
    expect(findDownstream(graph, ['a', 'b'])).toEqual(new Set(['b', 'c', 'd']));
  });
});
