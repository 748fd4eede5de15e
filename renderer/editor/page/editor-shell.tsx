import { useMemo, useState } from 'react';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { CodePane } from '../code/code-pane.tsx';
import { EditorCanvas } from '../canvas/editor-canvas.tsx';
import type { FileSync } from '../save/file-sync.ts';
import { OutlinePane } from '../outline/outline-pane.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { EditorCommandsProvider, type EditorCommands } from './editor-commands.ts';
import styles from './editor.module.css';
import { EditorToolbar } from './editor-toolbar.tsx';
import { ProblemList } from './problem-list.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { StepPicker } from './step-picker.tsx';
import { readViewChoice, storeViewChoice, type EditorView } from './view-choice.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { useEditorSession } from '../session/use-session.ts';
import { useSave } from './use-save.ts';

/** The editor: toolbar above, outline at the side, canvas and code in the middle. */
export function EditorShell({ sync }: { readonly sync: FileSync }) {
  const [view, setView] = useState<EditorView>(readViewChoice);
  const [withProblems, setWithProblems] = useState(false);
  const [renamed, setRenamed] = useState<NodeRef>();
  const [isPicking, setIsPicking] = useState(false);
  const session = useEditorSession();
  const commands = useMemo(
    (): EditorCommands => ({
      rename: setRenamed,
      listSteps: () => setIsPicking(true),
      edit(ref) {
        setView((now) => (now === 'canvas' ? 'split' : now));
        session.select([ref], 'other');
        // After the code pane is there.
        requestAnimationFrame(() => session.editor?.focus());
      },
    }),
    [session],
  );
  const save = useSave(sync);
  useEditorKeys({ save: save.begin });
  const choose = (next: EditorView): void => {
    setView(next);
    storeViewChoice(next);
  };
  return (
    <EditorCommandsProvider value={commands}>
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
        {renamed && <RenameDialog step={renamed} onClose={() => setRenamed(undefined)} />}
        {isPicking && <StepPicker onClose={() => setIsPicking(false)} />}
      </div>
    </EditorCommandsProvider>
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
