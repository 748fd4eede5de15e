import { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { placeOf } from '../../code/code-diagnostics.ts';
import { refOf } from '../../../../core/edit/outline/look-up.ts';
import type { EditorSession } from '../../session/editor-session.ts';
import { findFurtherAt, findNodeAt } from '../../session/node-selection.ts';

/** Selects the step with a problem and moves the cursor to it. */
export function goToProblem(session: EditorSession, diagnostic: Diagnostic): void {
  const { analysis } = session.view;
  const at = placeOf(session.state.doc, diagnostic);
  const known = session.locateInAnalysis(at);
  const step = analysis && findNodeAt(analysis, known);
  if (step) session.select([refOf(step)], 'code');
  else if (analysis) session.selectWorkflow(findFurtherAt(analysis.outline, known), 'code');
  session.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  session.editor?.focus();
}
