import { closeCompletion } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';

/**
 * Closes completion when the focus leaves the editor. CodeMirror closes only an open list; a pending one would
 * still appear, even above a dialog.
 */
export const closeCompletionOnBlur = EditorView.domEventHandlers({
  // The blur may happen in the middle of an update of the editor.
  blur: (_event, view) => queueMicrotask(() => closeCompletion(view)),
});
