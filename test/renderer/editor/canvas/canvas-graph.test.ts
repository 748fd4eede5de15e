import { expect, test } from 'vitest';
import { nameNode } from '../../../../renderer/editor/canvas/canvas-graph.ts';
import { toLines, foldedGroupId, listGroups } from '../../../../renderer/editor/canvas/flow-elements.ts';
import { listInvalidTargets } from '../../../../renderer/editor/canvas/connect-picker.tsx';
import { findNeighbourhood } from '../../../../renderer/editor/canvas/select-actions.ts';
import { buildText, drawSteps, drawText } from '../editor-harness.tsx';
import { analyze } from '../../../harness/workflow-texts.ts';
import { checkConnection } from '../../../../core/edit/steps/check-connection.ts';

const text = `type: graph
steps:
  - name: fetch
    type: http
    command: GET https://example.com
    retryPolicy: { limit: 3, intervalSec: 5 }
  - name: build
    script: |
      make all
    depends: [fetch]
handlerOn:
  exit: echo done
`;

test('a node has an accessible name with its type, dependencies and position', () => {
  const { steps, handlers, total } = drawText(text);
  expect([...steps, ...handlers].map((node) => nameNode(node, total))).toEqual([
    'step fetch, http request, 1 of 3',
    'step build, script, depends on fetch, 2 of 3',
    'handler exit, shell command, 3 of 3',
  ]);
  expect(steps[0]!.badges.map(({ short, words }) => `${short} ${words}`)).toEqual([
    '3× retries up to 3 times, 5.0 s apart',
  ]);
});

test('draws a workflow with errors, and marks the steps that have them', () => {
  const graph = drawText(text.replace('script:', 'skript:'));
  expect(graph.steps.map(({ name }) => name)).toEqual(['fetch', 'build']);
  expect(graph.edges).toHaveLength(1);
  expect(graph.byId.get('step:build')!.problems.join()).toContain('skript');
  expect(nameNode(graph.steps[1]!, graph.total)).toContain('problem');
});

test('shows badges of a step even if the text was never valid', () => {
  const { steps } = drawText(`steps:
  - name: a
    comand: wrong
    preconditions: [{condition: one}, {condition: two}]
    retry_policy: {limit: 3, intervalSec: 5}
    timeout: 90
    continueOn: {failure: true}
  - name: b
    command: echo
    repeatPolicy: {repeat: until, limit: 4, intervalSec: 10}
    parallel: [eu, us]
    output: ROWS
`);
  expect(steps.map(({ badges }) => badges.map(({ words }) => words))).toEqual([
    [
      'runs only if 2 conditions are met',
      'retries up to 3 times, 5.0 s apart',
      'timeout 1m 30s',
      'continues on failure',
    ],
    [
      'repeats every 10 s until its condition is met, up to 4 times',
      'runs once for each of 2 items',
      'saves output as ROWS',
    ],
  ]);
});

test('nodes unaffected by a text change keep their identity', () => {
  const built = buildText(text);
  const before = built.graph;
  const after = buildText(text.replace('make all', 'make some'), built).graph;
  expect(after.steps[0]).toBe(before.steps[0]);
  expect(after.steps[1]).not.toBe(before.steps[1]);
  expect(after.edges).toBe(before.edges);
});

test('dims exactly the targets that would reject an edge', () => {
  const steps = { a: [], b: ['a'], c: ['b'], d: ['a'], e: [], f: ['c', 'd'] };
  const graph = drawSteps(steps);
  const yaml = `type: graph\nsteps:\n${Object.entries(steps)
    .map(([name, depends]) => `  - { name: ${name}, command: echo, depends: [${depends.join(', ')}] }\n`)
    .join('')}`;
  const document = analyze(yaml, 'etl.yaml').outline.documents[0]!;
  for (const { id, ref } of graph.steps) {
    const bySource = graph.steps.filter((other) => checkConnection(document, ref, other.ref) !== undefined);
    expect([...listInvalidTargets(graph, id, 'source')].sort()).toEqual(bySource.map((one) => one.id));
    const byTarget = graph.steps.filter((other) => checkConnection(document, other.ref, ref) !== undefined);
    expect([...listInvalidTargets(graph, id, 'target')].sort()).toEqual(byTarget.map((one) => one.id));
  }
});

test('the neighbourhood extends along edges to the requested depth', () => {
  const graph = drawSteps({ a: [], b: ['a'], c: ['b'], d: ['c'], lonely: [] });
  const names = (ids: Iterable<string>): string[] => Array.from(ids, (id) => id.slice('step:'.length)).sort();
  expect(names(findNeighbourhood(graph, ['step:b'], 'both', 1))).toEqual(['a', 'b', 'c']);
  expect(names(findNeighbourhood(graph, ['step:a'], 'down', 2))).toEqual(['a', 'b', 'c']);
  expect(names(findNeighbourhood(graph, ['step:d'], 'up'))).toEqual(['a', 'b', 'c', 'd']);
});

test('the edges of a collapsed group are merged without duplicates', () => {
  const graph = drawText('steps:\n  - echo a\n  - [echo b, echo c]\n  - echo d\n');
  expect(listGroups(graph).map(({ key, members }) => [key, members.length])).toEqual([['cmd_2', 2]]);
  const ends = (folded: ReadonlySet<string>): string[] =>
    toLines(graph, new Map(), folded).map(({ source, target }) => `${source} > ${target}`);
  expect(ends(new Set())).toHaveLength(4);
  expect(ends(new Set(['cmd_2']))).toEqual([
    `step:cmd_1 > ${foldedGroupId('cmd_2')}`,
    `${foldedGroupId('cmd_2')} > step:cmd_4`,
  ]);
});
