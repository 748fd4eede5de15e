import { useState } from 'react';
import { CodePane } from '../code/code-pane.tsx';
import { EditorCanvas } from '../canvas/editor-canvas.tsx';
import type { FileSync } from '../save/file-sync.ts';
import { OutlinePane } from '../outline/outline-pane.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import styles from './editor.module.css';
import { EditorToolbar } from './editor-toolbar.tsx';
import { ProblemList } from './problem-list.tsx';
import { readViewChoice, storeViewChoice, type EditorView } from './view-choice.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { useSave } from './use-save.ts';

/** The editor: toolbar above, outline at the side, canvas and code in the middle. */
export function EditorShell({ sync }: { readonly sync: FileSync }) {
  const [view, setView] = useState<EditorView>(readViewChoice);
  const [withProblems, setWithProblems] = useState(false);
  const save = useSave(sync);
  useEditorKeys({ save: save.begin });
  const choose = (next: EditorView): void => {
    setView(next);
    storeViewChoice(next);
  };
  return (
    <div className={styles.page}>
      <EditorToolbar
        view={view}
        onView={choose}
        save={save}
        withProblems={withProblems}
        onProblems={() => setWithProblems(!withProblems)}
      />
      <Split
        id="editor.outline"
        label="Width of the outline"
        direction="columns"
        initial={0.2}
        first={<OutlinePane />}
        second={
          <>
            <Middle view={view} />
            {withProblems && <ProblemList onClose={() => setWithProblems(false)} />}
          </>
        }
      />
    </div>
  );
}

function Middle({ view }: { readonly view: EditorView }) {
  if (view === 'canvas') return <EditorCanvas />;
  if (view === 'code') return <CodePane />;
  return (
    <Split
      id="editor.code"
      label="Width of the canvas"
      direction="columns"
      initial={0.5}
      first={<EditorCanvas />}
      second={<CodePane />}
    />
  );
}
