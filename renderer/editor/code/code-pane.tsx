import {
  closeCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import {
  EditorView,
  crosshairCursor,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
  ViewPlugin,
} from '@codemirror/view';
import {
  indentService,
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language';
import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands';
import { lintGutter, linter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { toCodeMark } from '../../code/code-marks.ts';
import { codeTheme, hiddenCarriageReturns } from '../../code/code-theme.ts';
import type { EditorSession } from '../session/editor-session.ts';
import type { PreviousOutputs } from '../run/test-store.ts';
import { useEditorSession } from '../session/panel-state.ts';
import { useEditorCommands } from '../run/editor-commands.ts';
import { useTestLoopContext } from '../run/use-test-loop.ts';
import { yamlCompletion } from './complete-yaml.ts';
import { type ExternalNames, useExternalNames } from './reference-names.ts';
import { outputHover, schemaHover } from './hovers.ts';
import { workflowOnlyFields } from './schema-context.ts';
import { chunkedYaml } from './yaml-language.ts';
import { stepNavigation, type CodeCommands, codeSelection } from './code-selection.ts';
import styles from './code.module.css';

/**
 * Closes completion when the focus leaves the editor. CodeMirror closes only an open list; a pending one would
 * still appear, even above a dialog.
 */
export const closeCompletionOnBlur = EditorView.domEventHandlers({
  // The blur may happen in the middle of an update of the editor.
  blur: (_event, view) => queueMicrotask(() => closeCompletion(view)),
});

const startsBlock = /:\s*(?:[&!]\S+(?:\s+|$))*$|[:-]\s+[|>][+-]?\d?[+-]?\s*$/;

/**
 * Returns the indentation of the next line: deeper after a key without a value and after the header of a block
 * scalar, below the content of a list item, otherwise the same.
 */
export function indentAfter(line: string, unit: number): number {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const rest = line
    .slice(indent.length)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  const [marks = ''] = /^(?:- +)*/.exec(rest) ?? [];
  const column = indent.length + marks.length;
  if (rest === '-') return column + unit;
  // The content of `- |` is indented below the dash.
  if (startsBlock.test(rest)) return (marks !== '' && !rest.includes(':') ? indent.length : column) + unit;
  // A scalar item is followed by another item.
  return marks !== '' && !/[^\s"']:(?:\s|$)/.test(rest) ? indent.length : column;
}

/** Indents by the current line alone, which works in incomplete text, where the syntax tree is unreliable. */
const yamlIndent = indentService.of((context, at) => {
  const { text, from } = context.lineAt(at, -1);
  return indentAfter(text.slice(0, at - from), context.unit);
});

/** Marks the diagnostics of the latest analysis in the gutter and in the text; F8 moves to the next. */
function codeDiagnostics(session: EditorSession) {
  return [
    linter(null),
    lintGutter(),
    keymap.of(lintKeymap),
    ViewPlugin.define((view: EditorView) => {
      let shown: readonly Diagnostic[] | undefined;
      const show = (): void => {
        const { analysis, isStale } = session.view;
        if (analysis === undefined || isStale || analysis.diagnostics === shown) return;
        shown = analysis.diagnostics;
        const marks = shown.map((diagnostic) => toCodeMark(view.state.doc, diagnostic));
        view.dispatch(setDiagnostics(view.state, marks));
      };
      // A plugin must not dispatch while its view is being created.
      queueMicrotask(show);
      return { destroy: session.subscribe(show) };
    }),
  ];
}

/** Dependencies of the code pane. */
export interface CodePorts extends CodeCommands {
  readonly names: () => Promise<ExternalNames>;
  /** Outputs of steps in earlier runs. */
  readonly outputs: () => PreviousOutputs;
}

/** Turns the document of a session into a code editor. */
function codeExtensions(session: EditorSession, ports: CodePorts): Extension {
  return [
    [lineNumbers(), highlightActiveLineGutter(), foldGutter()],
    placeholder('Empty file. Write YAML here, or fill in a field.'),
    [drawSelection(), dropCursor(), rectangularSelection(), crosshairCursor(), highlightActiveLine()],
    [
      chunkedYaml(),
      yamlIndent,
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      indentUnit.of('  '),
      EditorState.tabSize.of(4),
    ],
    [search({ top: true }), highlightSelectionMatches()],
    hiddenCarriageReturns,
    [
      yamlCompletion({
        analysis: () => session.view.analysis,
        names: ports.names,
        outputs: ports.outputs,
        hidden: session.kind === 'base' ? workflowOnlyFields : [],
      }),
      schemaHover,
      outputHover(ports.outputs),
      closeCompletionOnBlur,
    ],
    stepNavigation(session, ports),
    codeDiagnostics(session),
    codeSelection(session),
    codeTheme,
    EditorView.contentAttributes.of({
      'aria-label': session.kind === 'base' ? 'Base configuration' : 'Workflow file',
      'aria-describedby': 'code-keys',
      spellcheck: 'false',
      // Editable content is focusable anyway; this makes it explicit.
      tabindex: '0',
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

/** The code editor of the file. */
export function CodePane() {
  const session = useEditorSession();
  const commands = useEditorCommands();
  const names = useExternalNames();
  const { outputs } = useTestLoopContext();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = session.openEditor(box.current!, codeExtensions(session, { ...commands, names, outputs }));
    return () => session.closeEditor(editor);
  }, [session, commands, names, outputs]);
  return (
    <section className={styles.pane} aria-label="Code">
      <p id="code-keys" className="visually-hidden">
        Press Tab to indent, or Escape then Tab to leave the editor. F8: next problem. Ctrl+Space:
        suggestions. F2: rename step. Ctrl+Shift+O: go to step.
      </p>
      <div ref={box} className={styles.editor} />
    </section>
  );
}
