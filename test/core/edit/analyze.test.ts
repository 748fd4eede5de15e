import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getDiagnostics } from '../../../core/edit/outline.ts';
import { readEditable } from '../../../core/edit/yaml/editable-text.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { readFixture, analyze } from '../../harness/workflow-texts.ts';

const fixtures = ['valid', 'invalid'].flatMap((kind) =>
  readdirSync(join(import.meta.dirname, '../../fixtures/workflows', kind))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${kind}/${name}`),
);

const sample = `type: graph
steps:
  - name: load
    id: ld
    command: ./load.sh
  - [echo left, {script: "#!/bin/sh\\nset -e\\nmake it"}]
  - depends: [ld, cmd_2]
    type: http
    command: GET https://example.com
handler_on:
  failure: ./report.sh
  cancelled:
    command: ./clean.sh
`;

describe('analyze', () => {
  it('agrees with the loader, for valid and invalid text', () => {
    for (const name of fixtures) {
      const text = readFixture(name);
      const { workflows, diagnostics } = loadSpec({ text, file: name });
      const analysis = analyze(text, name);
      expect(analysis.workflows, `in ${name}`).toEqual(workflows);
      expect(analysis.diagnostics, `in ${name}`).toEqual(diagnostics);
    }
  });

  it('names and wires steps as the engine does', () => {
    for (const name of fixtures.filter((each) => each.startsWith('valid/'))) {
      const { workflows, outline } = analyze(readFixture(name), name);
      const expected = workflows.map(({ steps }) => steps.map(({ name: step, depends }) => [step, depends]));
      const found = outline.documents.map(({ steps }) =>
        steps.map(({ name: step, depends }) => [step, depends]),
      );
      expect(found, `in ${name}`).toEqual(expected);
    }
  });

  it('finds steps, groups and handlers with their positions', () => {
    const { outline } = analyze(sample, 'sample.yaml');
    const [document] = outline.documents;
    expect(document).toMatchObject({ index: 0, type: 'graph', stepsForm: 'list' });
    expect(document!.steps).toMatchObject([
      { name: 'load', isNamed: true, id: 'ld', path: ['steps', 0], kind: 'command', detail: './load.sh' },
      { name: 'cmd_2', isNamed: false, path: ['steps', 1, 0], group: 1, detail: 'echo left' },
      { name: 'script_3', group: 1, kind: 'script', detail: 'make it' },
      { name: 'http_4', depends: ['load', 'cmd_2'], kind: 'http', detail: 'GET https://example.com' },
    ]);
    expect(document!.handlers).toMatchObject([
      { name: 'failure', path: ['handler_on', 'failure'], detail: './report.sh' },
      { name: 'abort', path: ['handler_on', 'cancelled'], detail: './clean.sh' },
    ]);
    const { from, to } = document!.steps[0]!;
    expect(sample.slice(from, to)).toBe('name: load\n    id: ld\n    command: ./load.sh');
  });

  it('reports the question of an approval step', () => {
    const ask = '  - { name: ask, type: approval, config: { question: "Release it?\\nNow?" } }\n';
    const { outline } = analyze(`steps:\n${ask}`, 'a.yaml');
    expect(outline.documents[0]!.steps).toMatchObject([{ kind: 'approval', detail: 'Release it?' }]);
  });

  it('lists the steps of invalid workflows, including those with duplicate keys', () => {
    const { workflows, diagnostics, outline } = analyze(
      'steps:\n  - name: a\n    nonsense: 1\n    name: b\n  - 7\n  - depends: [nobody, a]\n',
      'a.yaml',
    );
    expect(workflows).toEqual([]);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(outline.documents[0]!.steps).toMatchObject([
      { name: 'a' },
      { name: 'cmd_2', depends: ['a'] },
      { name: 'step_3', depends: ['a', 'cmd_2'] },
    ]);
  });

  it('has no outline for invalid YAML, and one document each with content', () => {
    expect(analyze('steps: [', 'a.yaml').outline.documents).toEqual([]);
    expect(analyze('', 'a.yaml').outline.documents).toEqual([]);
    const { outline } = analyze('# nothing\n---\nsteps: [a]\n---\nname: sub\nsteps:\n  x: b\n', 'a.yaml');
    const last = outline.documents.at(-1)!;
    expect(outline.documents).toHaveLength(2);
    expect(last).toMatchObject({ name: 'sub', stepsForm: 'map', steps: [{ name: 'x' }] });
    expect(readEditable('# nothing\n---\nsteps: [a]\n').documents[outline.documents[0]!.index]).toBeDefined();
  });
});

it('names the step or handler of a diagnostic', () => {
  const text =
    'Steps:\n  - echo a\n  - name: b\n    command: x\n    retry_policy: {limit: -1}\nhandlerOn:\n  cancel: {command: x, bogus: 1}\n';
  const analysis = analyze(text, 'a.yaml');
  const own = getDiagnostics(analysis, { section: 'step', name: 'b' });
  expect(own.map(({ path }) => path)).toContain('steps[1].retryPolicy.limit');
  expect(getDiagnostics(analysis, { section: 'step', name: 'cmd_1' })).toEqual([]);
  expect(getDiagnostics(analysis, { section: 'handler', name: 'abort' })).not.toEqual([]);
});

it('handles 2,000 steps quickly enough', () => {
  const steps = Array.from(
    { length: 2000 },
    (_, n) => `  - name: step_${n}\n    # do ${n}\n    command: echo ${n}\n    env: [A: ${n}]\n`,
  );
  const text = `steps:\n${steps.join('')}`;
  analyze(text, 'a.yaml');
  const start = performance.now();
  const { outline } = analyze(text, 'a.yaml');
  expect(outline.documents[0]!.steps).toHaveLength(2000);
  expect(performance.now() - start).toBeLessThan(5000);
});
