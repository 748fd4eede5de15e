import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import type { EditorSession } from '../session/editor-session.ts';
import { codeDiagnostics } from './code-diagnostics.ts';
import { codeTheme } from './code-theme.ts';
import { yamlCompletion } from './complete/complete-yaml.ts';
import { closeCompletionOnBlur } from './complete/closed-when-left.ts';
import type { ExternalNames } from './complete/known-names.ts';
import { outputHover } from './complete/output-hover.ts';
import type { PreviousOutputs } from '../run/model/previous-outputs.ts';
import { schemaHover } from './schema/schema-hover.ts';
import { chunkedYaml } from './language/yaml-parts.ts';
import { stepNavigation, type CodeCommands } from './go-to-step.ts';
import { codeSelection } from './code-selection.ts';
import { hiddenCarriageReturns } from './exact-breaks-view.ts';
import { yamlIndent } from './yaml-indent.ts';

/** Dependencies of the code pane. */
export interface CodePorts extends CodeCommands {
  readonly names: () => Promise<ExternalNames>;
  /** Outputs of steps in earlier runs. */
  readonly outputs: () => PreviousOutputs;
}

/** Turns the document of a session into a code editor. */
export function codeExtensions(session: EditorSession, ports: CodePorts): Extension {
  return [
    [lineNumbers(), highlightActiveLineGutter(), foldGutter()],
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
      yamlCompletion({ analysis: () => session.view.analysis, names: ports.names, outputs: ports.outputs }),
      schemaHover,
      outputHover(ports.outputs),
      closeCompletionOnBlur,
    ],
    stepNavigation(session, ports),
    codeDiagnostics(session),
    codeSelection(session),
    codeTheme,
    EditorView.contentAttributes.of({
      'aria-label': 'Workflow file',
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
