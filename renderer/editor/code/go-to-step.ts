import { Prec, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
} from '@codemirror/view';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import type { OutlineStep } from '../../../core/edit/outline.ts';
import { toNodeRef } from '../../../core/edit/outline/look-up.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { findLocalDagAt, findNodeAt, listNodes } from '../session/node-selection.ts';
import { readContext } from './schema/cursor-context.ts';

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
