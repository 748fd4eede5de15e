import { closeCompletion } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';

/**
 * Ends completion when the focus goes elsewhere: a list that was still being looked for would come up all the same, above
 * a dialog even. CodeMirror itself closes only one that is there.
 */
export const closedWhenLeft = EditorView.domEventHandlers({
  // What takes the focus may be in the middle of an update of the editor.
  blur: (_event, view) => queueMicrotask(() => closeCompletion(view)),
});
