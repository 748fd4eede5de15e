import { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { placeOf } from '../code/code-diagnostics.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { findNodeAt } from '../session/node-selection.ts';

/** Selects the step that something is wrong with, and puts the cursor to the place. */
export function goToProblem(session: EditorSession, diagnostic: Diagnostic): void {
  const { analysis } = session.view;
  const at = placeOf(session.state.doc, diagnostic);
  const step = analysis && findNodeAt(analysis, session.locateInAnalysis(at));
  if (step) session.select([{ section: step.section, name: step.name }], 'code');
  session.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  session.editor?.focus();
}
