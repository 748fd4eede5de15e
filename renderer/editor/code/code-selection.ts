import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet } from '@codemirror/view';
import type { TextRange } from '../../../core/edit/outline.ts';
import { toNodeRef } from '../../../core/edit/outline/look-up.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { findLocalDagAt, findNode, findNodeAt, findWorkflow, isSameNode } from '../session/node-selection.ts';

const showRanges = StateEffect.define<readonly TextRange[]>();
const selectedLine = Decoration.line({ class: 'cm-selectedStep' });

/** Highlights the lines of the selected steps. */
const selectedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(showRanges)) continue;
      const { doc } = transaction.state;
      const lines = new Set<number>();
      for (const { from, to } of effect.value)
        for (let at = from; at <= to && at <= doc.length;) {
          const line = doc.lineAt(at);
          if (line.text.trim() !== '') lines.add(line.from);
          at = line.to + 1;
        }
      next = Decoration.set([...lines].sort((a, b) => a - b).map((from) => selectedLine.range(from)));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Synchronizes the selection: a step selected in another view scrolls into view, and the step at the cursor is
 * selected.
 */
export function codeSelection(session: EditorSession): Extension {
  return [
    selectedLines,
    EditorView.updateListener.of((update) => {
      if (!update.transactions.some((one) => one.isUserEvent('select') || one.isUserEvent('input'))) return;
      const { analysis } = session.view;
      if (!analysis) return;
      const at = session.locateInAnalysis(update.state.selection.main.head);
      const step = findNodeAt(analysis, at);
      const [only, ...more] = session.view.selection;
      if (step && more.length === 0 && only && isSameNode(only, step)) return;
      // Deferred, since a listener must not change the state that it is notified about.
      queueMicrotask(() => {
        if (step) session.select([toNodeRef(step)], 'code');
        else session.selectWorkflow(findLocalDagAt(analysis.outline, at), 'code');
      });
    }),
    ViewPlugin.define((view) => {
      let shown: unknown;
      let marked: unknown;
      let within = session.view.document;
      const follow = (): void => {
        const { selection, document, selectedIn, analysis } = session.view;
        const isElsewhere = document !== within;
        const isNew = selection !== shown;
        if (!analysis || (!isNew && !isElsewhere && analysis === marked)) return;
        shown = selection;
        within = document;
        marked = analysis;
        const steps = selection
          .map((ref) => findNode(analysis.outline, ref))
          .filter((one) => one !== undefined);
        const ranges = steps.map((step) => session.locate(step));
        // When the views switch to another workflow, its beginning.
        const home = isElsewhere ? findWorkflow(analysis.outline, document) : undefined;
        const wanted = ranges[0] ?? (home && session.locate(home));
        const first = (isNew || isElsewhere) && selectedIn !== 'code' ? wanted : undefined;
        view.dispatch({
          effects: [
            showRanges.of(ranges),
            ...(first ? [EditorView.scrollIntoView(first.from, { y: 'center' })] : []),
          ],
          ...(first && { selection: { anchor: first.from } }),
        });
      };
      queueMicrotask(follow);
      return { destroy: session.subscribe(() => queueMicrotask(follow)) };
    }),
  ];
}
