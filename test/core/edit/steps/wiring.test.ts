import { describe, expect, it } from 'vitest';
import { addStep, insertOnEdge } from '../../../../core/edit/steps/add-step.ts';
import { convertToGraph, moveStep } from '../../../../core/edit/steps/convert.ts';
import { removeSteps } from '../../../../core/edit/steps/remove-steps.ts';
import { connect, disconnect } from '../../../../core/edit/steps/connect.ts';
import { buildOutline } from '../../../../core/edit/build-outline.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { edit, refusal, step, dependenciesByName } from '../../../harness/workflow-texts.ts';
import { checkConnection } from '../../../../core/edit/steps/check-connection.ts';

const graph = `type: graph
steps:
  - name: a
    command: echo a # first
  # the second
  - name: b
    command: echo b
    depends: a

  - name: c
    command: echo c
    depends: [a, b]
`;

describe('addStep', () => {
  it('adds to a list, without touching blank lines and comments', () => {
    expect(
      edit(graph, (e) => addStep(e, { step: 'echo d', name: 'd', after: step('a'), dependsOn: [step('a')] })),
    ).toBe(
      graph.replace('  # the second', '  - name: d\n    command: echo d\n    depends: a\n  # the second'),
    );
    expect(edit('steps:\n  - a\n\n  - b\n', (e) => addStep(e, { step: 'c' }))).toBe(
      'steps:\n  - a\n\n  - b\n\n  - c\n',
    );
    expect(edit('steps:\n- a', (e) => addStep(e, { step: { command: 'x' }, before: step('cmd_1') }))).toBe(
      'steps:\n- command: x\n- a',
    );
  });

  it('adds to a map, a list in brackets, Windows line endings and an empty workflow', () => {
    expect(edit('steps:\n  a: make\n', (e) => addStep(e, { step: 'ls', name: 'a' }))).toBe(
      'steps:\n  a: make\n  a_2: ls\n',
    );
    expect(edit('steps:\n  a: make\n', (e) => addStep(e, { step: { name: 'z', command: 'ls' } }))).toBe(
      'steps:\n  a: make\n  z:\n    command: ls\n',
    );
    expect(edit('steps: [a, b]\n', (e) => addStep(e, { step: 'echo x, y', before: step('cmd_2') }))).toBe(
      'steps: [a, "echo x, y", b]\n',
    );
    expect(edit('steps:\r\n  - a\r\n', (e) => addStep(e, { step: 'b', name: 'x' }))).toBe(
      'steps:\r\n  - a\r\n  - name: x\r\n    command: b\r\n',
    );
    for (const text of ['', 'steps:\n', 'steps: []\n', 'name: x\n', '# only a comment\n'])
      expect(dependenciesByName(edit(text, (e) => addStep(e, { step: 'ls', name: 'x' })))).toEqual({ x: [] });
  });

  it('writes the names of referenced unnamed steps before their index changes', () => {
    const text = 'type: graph\nsteps:\n  - echo a\n  - depends: cmd_1\n    command: b\n';
    const after = edit(text, (e) => addStep(e, { step: 'x', before: step('cmd_1') }));
    expect(after).toBe(
      'type: graph\nsteps:\n  - x\n  - name: cmd_1\n    command: echo a\n  - depends: cmd_1\n    command: b\n',
    );
  });
});

describe('insertOnEdge', () => {
  it('inserts between two steps of a graph and of a chain', () => {
    const after = edit(graph, (e) =>
      insertOnEdge(e, { source: step('b'), target: step('c'), step: 'echo x', name: 'x' }),
    );
    expect(dependenciesByName(after)).toEqual({ a: [], b: ['a'], x: ['b'], c: ['a', 'x'] });
    expect(
      edit('steps:\n  - a\n  - b\n', (e) =>
        insertOnEdge(e, { source: step('cmd_1'), target: step('cmd_2'), step: 'x' }),
      ),
    ).toBe('steps:\n  - a\n  - x\n  - b\n');
    expect(
      refusal('steps: [[a, b], c]', (e) =>
        insertOnEdge(e, { source: step('cmd_1'), target: step('cmd_3'), step: 'x' }),
      ),
    ).toMatch(/in sequence/);
  });
});

describe('connect and disconnect', () => {
  it('keep the form of depends', () => {
    expect(edit(graph, (e) => disconnect(e, step('a'), step('b')))).toBe(
      graph.replace('    depends: a\n', ''),
    );
    expect(edit(graph, (e) => disconnect(e, step('a'), step('c')))).toBe(graph.replace('[a, b]', '[b]'));
    const text =
      'type: graph\nsteps:\n  - name: a\n    command: x\n  - b\n  - name: c\n    command: y\n    depends: a\n';
    expect(edit(text, (e) => connect(e, step('cmd_2'), step('c')))).toBe(
      text
        .replace('  - b\n', '  - name: cmd_2\n    command: b\n')
        .replace('depends: a', 'depends: [a, cmd_2]'),
    );
    expect(edit(text, (e) => connect(e, step('a'), step('cmd_2')))).toContain(
      '  - command: b\n    depends: a\n',
    );
    const lines = graph.replace('[a, b]', '\n      - a\n      - b # both');
    expect(edit(lines, (e) => disconnect(e, step('a'), step('c')))).toBe(lines.replace('      - a\n', ''));
    const back = edit(lines, (e) => disconnect(e, step('b'), step('c')));
    expect(edit(back, (e) => connect(e, step('b'), step('c')))).toContain('      - a\n      - b\n');
  });

  it('say why not', () => {
    const [document] = buildOutline(readEditable(graph)).documents;
    const reason = (a: string, b: string): string | undefined =>
      checkConnection(document!, step(a), step(b))?.reason;
    expect(reason('a', 'a')).toMatch(/itself/);
    expect(reason('a', 'c')).toMatch(/already/);
    expect(reason('c', 'a')).toBe(
      'This would create a cycle: a -> c. Remove one of these dependencies first.',
    );
    expect(reason('b', 'a')).toBe('This would create a cycle: "b" already depends on "a".');
    expect(reason('x', 'a')).toMatch(/Step "x" no longer exists in this workflow\./);
    expect(checkConnection(document!, step('a'), { section: 'handler', name: 'exit' })?.reason).toMatch(
      /Handlers/,
    );
    const [chain] = buildOutline(readEditable('steps: [a, b, c]')).documents;
    expect(checkConnection(chain!, step('cmd_1'), step('cmd_3'))).toMatchObject({
      offer: { kind: 'convert-to-graph' },
    });
  });
});

describe('removeSteps', () => {
  it('drops or replaces the dependencies of the others', () => {
    expect(dependenciesByName(edit(graph, (e) => removeSteps(e, [step('b')])))).toEqual({ a: [], c: ['a'] });
    const line = graph.replace('[a, b]', 'b');
    expect(dependenciesByName(edit(line, (e) => removeSteps(e, [step('b')])))).toEqual({ a: [], c: [] });
    const joined = edit(line, (e) => removeSteps(e, [step('b')], { reconnect: true }));
    expect(joined).toBe(
      line.replace(/ {2}# the second\n.*\n.*\n.*\n/, '').replace('depends: b', 'depends: a'),
    );
    expect(dependenciesByName(joined)).toEqual({ a: [], c: ['a'] });
  });

  it('handles chains, groups, maps and the last step', () => {
    const cut =
      'steps:\n  - name: a\n    command: x\n  - name: b\n    command: x\n    depends: []\n  - name: c\n    command: x\n';
    expect(dependenciesByName(edit(cut, (e) => removeSteps(e, [step('b')])))).toEqual({ a: [], c: [] });
    expect(dependenciesByName(edit('steps: [[a, b], c]\n', (e) => removeSteps(e, [step('cmd_1')])))).toEqual({
      cmd_1: [],
      cmd_2: ['cmd_1'],
    });
    expect(
      edit('steps:\n  - - a\n    - b\n  - c\n', (e) => removeSteps(e, [step('cmd_1'), step('cmd_2')])),
    ).toBe('steps:\n  - c\n');
    expect(edit('steps:\n  - - a\n    - b\n  - c\n', (e) => removeSteps(e, [step('cmd_1')]))).toBe(
      'steps:\n  - - b\n  - c\n',
    );
    expect(edit('steps:\n  a: x\n  b: y\n', (e) => removeSteps(e, [step('a')]))).toBe('steps:\n  b: y\n');
    expect(edit('steps:\n  - a\nname: x\n', (e) => removeSteps(e, [step('cmd_1')]))).toBe(
      'steps: []\nname: x\n',
    );
  });
});

describe('moveStep', () => {
  it('changes the order in lists and maps, with comments', () => {
    expect(
      edit('steps:\n  - a\n\n  # of b\n  - b\n\n  - c\n', (e) =>
        moveStep(e, step('cmd_2'), { after: step('cmd_3') }),
      ),
    ).toBe('steps:\n  - a\n\n  - c\n\n  # of b\n  - b\n');
    expect(
      edit('steps:\n  - a\n  - b\n  - c', (e) => moveStep(e, step('cmd_3'), { before: step('cmd_1') })),
    ).toBe('steps:\n  - c\n  - a\n  - b');
    expect(
      edit('steps:\n  a: 1s\n  b:\n    command: x\n', (e) => moveStep(e, step('b'), { before: step('a') })),
    ).toBe('steps:\n  b:\n    command: x\n  a: 1s\n');
    expect(edit('steps: [a, b, c]\n', (e) => moveStep(e, step('cmd_1'), { after: step('cmd_2') }))).toBe(
      'steps: [b, a, c]\n',
    );
  });

  it('moves into and out of groups, but creates no cycles', () => {
    const text = 'steps:\n  - - a\n    - name: b\n      command: |\n        two\n        lines\n  - c\n';
    expect(edit(text, (e) => moveStep(e, step('b'), { after: step('cmd_3') }))).toBe(
      'steps:\n  - - a\n  - c\n  - name: b\n    command: |\n      two\n      lines\n',
    );
    expect(edit(text, (e) => moveStep(e, step('cmd_3'), { before: step('b') }))).toBe(
      'steps:\n  - - a\n    - c\n    - name: b\n      command: |\n        two\n        lines\n',
    );
    const bound = 'steps:\n  - name: a\n    command: x\n  - name: b\n    command: y\n    depends: a\n';
    expect(refusal(bound, (e) => moveStep(e, step('b'), { before: step('a') }))).toMatch(
      /would create a cycle/,
    );
  });
});

describe('converting', () => {
  it('makes a graph with the same dependencies', () => {
    for (const text of [
      'name: x\nsteps:\n  - a\n  - - b\n    - name: c\n      command: |\n        x\n  - d\n',
      'steps: [a, [b, c], d]\n',
      'steps:\n  a: x\n  b:\n    command: y\n    depends: []\n  c: z\n',
      'type: chain\r\nsteps:\r\n  - a\r\n  - [b, c]\r\n  - name: e\r\n    command: f\r\n    depends: cmd_1\r\n',
    ]) {
      const after = edit(text, convertToGraph);
      expect(dependenciesByName(after), `in ${after}`).toEqual(dependenciesByName(text));
      expect(buildOutline(readEditable(after)).documents[0]).toMatchObject({ type: 'graph' });
    }
    expect(edit('# file\nsteps:\n  - a\n  - b\n', convertToGraph)).toBe(
      '# file\ntype: graph\nsteps:\n  - name: cmd_1\n    command: a\n  - command: b\n    depends: cmd_1\n',
    );
  });
});
