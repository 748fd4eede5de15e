import { yaml } from '@codemirror/lang-yaml';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { placeOf, toCodeMark } from '../../../editor/code/code-diagnostics.ts';
import { codeTheme } from '../../../editor/code/code-theme.ts';
import { hiddenCarriageReturns } from '../../../editor/code/exact-breaks-view.ts';
import styles from './result.module.css';

interface CodePreviewProps {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostic whose position is scrolled into view. */
  readonly pointed: Diagnostic | undefined;
}

const highlightStyles: Extension = [
  EditorState.lineSeparator.of('\n'),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  // Makes read-only content focusable, so that keys can scroll it.
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'Preview of the new file' }),
  lineNumbers(),
  lintGutter(),
  yaml(),
  codeTheme,
  hiddenCarriageReturns,
];

/** The text as it will be written, with its diagnostics. */
export function CodePreview({ text, diagnostics, pointed }: CodePreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  useEffect(() => {
    const made = new EditorView({ parent: box.current!, doc: text, extensions: highlightStyles });
    view.current = made;
    return () => made.destroy();
  }, [text]);
  useEffect(() => {
    const { state } = view.current!;
    const marks = diagnostics.map((diagnostic) => toCodeMark(state.doc, diagnostic));
    view.current!.dispatch(setDiagnostics(state, marks));
  }, [diagnostics]);
  useEffect(() => {
    if (pointed === undefined) return;
    const { doc } = view.current!.state;
    const { from, to } = doc.lineAt(placeOf(doc, pointed));
    view.current!.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    view.current!.focus();
  }, [pointed]);
  return <div ref={box} className={styles.code} />;
}
