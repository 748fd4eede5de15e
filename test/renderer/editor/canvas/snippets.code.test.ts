import { type Completion } from '@codemirror/autocomplete';
import { describe, expect, it } from 'vitest';
import { addStep } from '../../../../core/edit/steps/add-step.ts';
import { applyChanges } from '../../../../core/edit/text-change.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { RawYaml } from '../../../../core/edit/yaml/read-value.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { stepSnippets } from '../../../../renderer/editor/code/complete-yaml.ts';
import { snippets } from '../../../../renderer/editor/canvas/snippets.ts';
import { openSession } from '../editor-harness.tsx';

/** Inserts a snippet at a position of a text, marked with `|`; returns the selection as `text`. */
function take(marked: string, completion: Completion): { readonly text: string; readonly chosen: string } {
  const at = marked.indexOf('|');
  const { session } = openSession(marked.replace('|', ''));
  const editor = {
    get state() {
      return session.state;
    },
    dispatch: session.dispatch.bind(session),
  };
  if (typeof completion.apply !== 'function') throw new Error('no snippet');
  session.dispatch({ selection: { anchor: at } });
  completion.apply(editor as unknown as Parameters<typeof completion.apply>[0], completion, at, at);
  const { main } = session.state.selection;
  return { text: session.text, chosen: session.state.sliceDoc(main.from, main.to) };
}

const withReturns = (text: string): string => text.replaceAll('\n', '\r\n');

describe('step snippets in the code', () => {
  it.each(stepSnippets(true).map((snippet) => ({ label: snippet.label, snippet })))(
    'are the same with both line endings: $label',
    ({ snippet }) => {
      const before = 'steps:\n  - name: first\n    command: x\n  |\ntags: [a]\n';
      const plain = take(before, snippet);
      const returns = take(withReturns(before), snippet);
      expect(returns.text).toBe(withReturns(plain.text));
      expect(plain.chosen).toBe('name');
      expect(returns.chosen).toBe('name');
      const { diagnostics } = loadSpec({ text: returns.text, file: 'a.yaml' });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    },
  );

  it.each([
    ['step: with retries', '    retryPolicy:\n      limit: 3\n      intervalSec: 10\n'],
    ['step: for each item', '    command: echo ${ITEM}\n'],
    ['step: with a condition', '      - condition: "${STAGE}"\n'],
  ])('keep their numbers and references: %s', (label, expected) => {
    const snippet = stepSnippets(true).find((each) => each.label === label);
    expect(take('steps:\n  |\n', snippet!).text).toContain(expected);
  });

  it('are inserted after an existing dash', () => {
    const [first] = stepSnippets(false);
    const { text } = take(withReturns('steps:\n  - |\n'), first!);
    expect(text).toBe(withReturns('steps:\n  - name: name\n    command: echo hello\n'));
  });
});

describe('palette snippets', () => {
  it.each(snippets.map((snippet) => ({ label: snippet.label, snippet })))(
    'are the same with both line endings: $label',
    ({ snippet: { yaml, name } }) => {
      const before = 'steps:\n  - name: first\n    command: x\n\n  - name: last\n    command: y\n';
      const add = (text: string): string => {
        const after = { section: 'step', name: 'first' } as const;
        const result = addStep(readEditable(text), { step: new RawYaml(yaml), name, after });
        if (!result.ok) throw new Error(result.reason);
        return applyChanges(text, result.changes);
      };
      expect(add(withReturns(before))).toBe(withReturns(add(before)));
    },
  );
});
