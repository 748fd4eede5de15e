import { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { placeOf } from '../../code/code-diagnostics.ts';
import { toNodeRef } from '../../../../core/edit/outline/look-up.ts';
import type { EditorSession } from '../../session/editor-session.ts';
import { findLocalDagAt, findNodeAt } from '../../session/node-selection.ts';

/** Selects the step with a problem and moves the cursor to it. */
export function revealProblem(session: EditorSession, diagnostic: Diagnostic): void {
  const { analysis } = session.view;
  const at = placeOf(session.state.doc, diagnostic);
  const known = session.locateInAnalysis(at);
  const step = analysis && findNodeAt(analysis, known);
  if (step) session.select([toNodeRef(step)], 'code');
  else if (analysis) session.selectWorkflow(findLocalDagAt(analysis.outline, known), 'code');
  session.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  session.editor?.focus();
}
