import { StateEffect, StateField, type Extension, Prec } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  ViewPlugin,
  type DecorationSet,
  keymap,
  MatchDecorator,
} from '@codemirror/view';
import { type TextRange, type OutlineStep, toNodeRef } from '../../../core/edit/outline.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { EditorSession } from '../session/editor-session.ts';
import {
  findLocalDagAt,
  findNode,
  findNodeAt,
  findWorkflow,
  isSameNode,
  listNodes,
} from '../session/node-selection.ts';
import { readContext } from './schema-context.ts';

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
        const range = ranges[0] ?? (home && session.locate(home));
        const first = (isNew || isElsewhere) && selectedIn !== 'code' ? range : undefined;
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

/** Commands that the code pane requests from the page. */
export interface CodeCommands {
  /** Opens the rename dialog of a step. */
  readonly rename: (ref: NodeRef) => void;
  /** Opens the list of steps. */
  readonly listSteps: () => void;
}

const wordPattern = /[^\s,[\]{}"'#:]+/g;

/** Returns the word at a position in a line, with its start. */
function wordAt(line: string, at: number): { readonly word: string; readonly start: number } | undefined {
  for (const match of line.matchAll(wordPattern))
    if (match.index <= at && at <= match.index + match[0].length)
      return { word: match[0], start: match.index };
  return undefined;
}

/** Returns the step that a name in `depends` at this position refers to. */
export function findReferencedStep(session: EditorSession, at: number): OutlineStep | undefined {
  const { analysis } = session.view;
  const line = session.state.doc.lineAt(at);
  const found = wordAt(line.text, at - line.from);
  if (!analysis || !found) return undefined;
  const context = readContext(session.text, line.from + found.start + found.word.length);
  const isName = context.key === 'depends' || context.path.includes('depends');
  if (!isName) return undefined;
  const document = findLocalDagAt(analysis.outline, session.locateInAnalysis(at));
  return listNodes(analysis.outline, document).find(
    ({ section, name, id }) => section === 'step' && (name === found.word || id === found.word),
  );
}

/** Returns the step referenced by the name at the cursor, or else the step that contains the cursor. */
function stepAtCursor(session: EditorSession): OutlineStep | undefined {
  const at = session.state.selection.main.head;
  const { analysis } = session.view;
  return findReferencedStep(session, at) ?? (analysis && findNodeAt(analysis, session.locateInAnalysis(at)));
}

const references = new MatchDecorator({
  regexp: /\$\{[^}\n]*\}|\$[A-Za-z_]\w*/g,
  decoration: Decoration.mark({ class: 'cm-reference' }),
});

// The highest precedence creates the innermost mark, whose color wins.
const referenceColours = Prec.highest(
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = references.createDeco(view);
      }
      update(update: Parameters<MatchDecorator['updateDeco']>[0]): void {
        this.decorations = references.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
);

/** Ctrl+click and F12 go to the step of a name, F2 renames a step, Ctrl+Shift+O lists the steps. */
export function stepNavigation(session: EditorSession, commands: CodeCommands): Extension {
  const goTo = (at: number): boolean => {
    const step = findReferencedStep(session, at);
    if (!step) return false;
    session.select([toNodeRef(step)], 'other');
    return true;
  };
  return [
    referenceColours,
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const found = at !== null && goTo(at);
        if (found) event.preventDefault();
        return found;
      },
    }),
    keymap.of([
      { key: 'F12', run: (view) => goTo(view.state.selection.main.head) },
      {
        key: 'F2',
        run() {
          const step = stepAtCursor(session);
          if (step?.section !== 'step') return false;
          commands.rename(toNodeRef(step));
          return true;
        },
      },
      {
        key: 'Mod-Shift-o',
        run() {
          commands.listSteps();
          return true;
        },
      },
    ]),
  ];
}
