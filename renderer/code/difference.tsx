import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { yaml } from '@codemirror/lang-yaml';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { codeTheme, hiddenCarriageReturns } from './code-theme.ts';
import { Segmented } from '../ui/choices.tsx';
import styles from './difference.module.css';

const layouts = [
  { value: 'unified', label: 'Inline' },
  { value: 'split', label: 'Side by side' },
] as const;

const readOnly: Extension = [
  EditorState.lineSeparator.of('\n'),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  // Makes read-only content focusable, so that keys can scroll it.
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'Changes' }),
  lineNumbers(),
  yaml(),
  codeTheme,
  hiddenCarriageReturns,
];

const collapse = { margin: 3, minSize: 6 };

/** Renders the difference between two texts. */
export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  const [layout, setLayout] = useState<'unified' | 'split'>('unified');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = box.current!;
    if (layout === 'split') {
      const merge = new MergeView({
        parent,
        a: { doc: before, extensions: readOnly },
        b: { doc: after, extensions: readOnly },
        collapseUnchanged: collapse,
      });
      return () => merge.destroy();
    }
    const view = new EditorView({
      parent,
      doc: after,
      extensions: [
        readOnly,
        unifiedMergeView({
          original: before,
          mergeControls: false,
          collapseUnchanged: collapse,
          gutter: true,
        }),
      ],
    });
    return () => view.destroy();
  }, [before, after, layout]);
  return (
    <div className={styles.difference}>
      <Segmented label="Diff layout" value={layout} choices={layouts} onChange={setLayout} />
      <div ref={box} className={styles.texts} data-layout={layout} />
    </div>
  );
}
