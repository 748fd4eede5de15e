import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { yaml } from '@codemirror/lang-yaml';
import { EditorView, lineNumbers } from '@codemirror/view';
import { Save } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { countThings } from '../../../core/base/count-things.ts';
import { codeLook } from '../code/code-look.ts';
import { hiddenReturns } from '../code/exact-breaks-view.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import styles from './save.module.css';

interface ReviewDialogProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly confirm: { readonly label: string; readonly run: () => void };
  /** Whether this is shown before each save. */
  readonly always: { readonly value: boolean; readonly onChange: (value: boolean) => void };
  /** How many errors the text has now. */
  readonly errors: number;
  readonly onClose: () => void;
}

/** Two states of a text and what differs, with a button for what is to be done about it. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, before, after, confirm, always, errors, onClose } = props;
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      {errors > 0 && (
        <div className={styles.warning}>
          <Notice tone="warning">
            <strong>The text has {countThings(errors, 'problem')}.</strong> It can be saved, but cannot run
            until {errors === 1 ? 'it is' : 'they are'} mended.
          </Notice>
        </div>
      )}
      <Difference before={before} after={after} />
      <DialogActions>
        <label className={styles.always}>
          <input
            type="checkbox"
            checked={always.value}
            onChange={(event) => always.onChange(event.target.checked)}
          />
          Show the changes before each save
        </label>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="primary"
          icon={Save}
          autoFocus
          onPress={() => {
            onClose();
            confirm.run();
          }}
        >
          {confirm.label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const layouts = [
  { value: 'unified', label: 'One column' },
  { value: 'split', label: 'Side by side' },
] as const;

const readOnly: Extension = [
  EditorState.lineSeparator.of('\n'),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  // Without this, keys could not scroll what cannot be edited.
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'Text with its changes' }),
  lineNumbers(),
  yaml(),
  codeLook,
  hiddenReturns,
];

const collapse = { margin: 3, minSize: 6 };

/** What differs between two texts. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
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
      <Segmented label="Layout of the changes" value={layout} choices={layouts} onChange={setLayout} />
      <div ref={box} className={styles.texts} data-layout={layout} />
    </div>
  );
}
