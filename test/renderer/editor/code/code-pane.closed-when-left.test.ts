import { autocompletion, completionStatus, startCompletion } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { closeCompletionOnBlur } from '../../../../renderer/editor/code/code-pane.tsx';

test('a pending completion does not open after the editor lost focus', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<{ from: number; options: { label: string }[] }>();
  const source = () => {
    asked.resolve();
    return answer.promise;
  };
  const view = new EditorView({
    doc: 'na',
    selection: { anchor: 2 },
    extensions: [autocompletion({ override: [source] }), closeCompletionOnBlur],
    parent: document.body,
  });
  view.focus();
  startCompletion(view);
  await asked.promise;
  expect(completionStatus(view.state)).toBe('pending');
  view.contentDOM.blur();
  await Promise.resolve();
  answer.resolve({ from: 0, options: [{ label: 'name' }] });
  await answer.promise;
  expect(completionStatus(view.state)).toBeNull();
  view.destroy();
});
