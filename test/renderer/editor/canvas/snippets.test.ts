import { expect, test } from 'vitest';
import { addStep } from '../../../../core/edit/steps/add-step.ts';
import { applyChanges } from '../../../../core/edit/text-change.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { RawYaml } from '../../../../core/edit/yaml/read-value.ts';
import { kindNames } from '../../../../renderer/format/labels.ts';
import { searchSnippets, snippets } from '../../../../renderer/editor/canvas/snippets.ts';
import { analyze } from '../../../harness/workflow-texts.ts';

test.each(snippets.map((snippet) => [snippet.id, snippet] as const))(
  'the snippet "%s" is a valid step under its name',
  (_id, { yaml, name }) => {
    const text = 'steps:\n  - name: first\n    command: echo\n';
    const result = addStep(readEditable(text), { step: new RawYaml(yaml), name });
    if (!result.ok) throw new Error(result.reason);
    const analysis = analyze(applyChanges(text, result.changes), 'etl.yaml');
    expect(analysis.diagnostics).toEqual([]);
    expect(analysis.workflows[0]!.steps.map((step) => step.name)).toEqual(['first', name]);
  },
);

test('every step type has a snippet', () => {
  const kinds = new Set(snippets.map(({ kind }) => kind));
  // A program without a shell is another form of command.
  expect(Object.keys(kindNames).filter((kind) => kind !== 'argv' && !kinds.has(kind as 'command'))).toEqual(
    [],
  );
});

test('snippets are found by name, purpose and type, in any word order', () => {
  expect(searchSnippets('retry http').map(({ id }) => id)).toContain('http-retry');
  expect(searchSnippets('docker').map(({ id }) => id)).toContain('container');
  expect(searchSnippets('no such thing')).toEqual([]);
});
