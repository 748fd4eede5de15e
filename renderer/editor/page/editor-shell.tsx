import { EditorView } from '@codemirror/view';
import { useCallback, useMemo, useState } from 'react';
import { Split } from '../../ui/layout/splitter.tsx';
import { EditorCanvas } from '../canvas/editor-canvas.tsx';
import { CodePane } from '../code/code-pane.tsx';
import { RunFrame } from '../run/panels/run-frame.tsx';
import type { TestLoop } from '../run/test-loop.ts';
import { TestStoreProvider } from '../run/test-store.ts';
import { TestFollower, TestLoopProvider } from '../run/use-test-loop.ts';
import { EditorDialogs } from './dialogs/editor-dialogs.tsx';
import { EditorCommandsProvider, type EditorCommands, type OpenDialog } from './editor-commands.ts';
import styles from './editor.module.css';
import { EditorNotices } from './editor-notices.tsx';
import { EditorToolbar } from './editor-toolbar.tsx';
import { DockFrame } from './layout/dock-frame.tsx';
import { OutlineFrame } from './layout/outline-frame.tsx';
import { setPanel, usePanels, type Panel } from './layout/panel-state.ts';
import { useDock } from './layout/use-dock.ts';
import { ProblemList } from './problems/problem-list.tsx';
import type { EditorSession } from '../session/editor-session.ts';
import { useLineFromUrl } from './opening/use-addressed-line.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { useLeaveGuard } from './leaving/use-leave-guard.ts';
import type { OpenFile } from './opening/use-open-session.ts';
import { useSave } from './use-save.ts';
import { useTestLoopShortcuts } from './use-testing.ts';
import { useUnloadGuard } from './leaving/use-unload-guard.ts';
import { readViewChoice, storeViewChoice, type EditorView as ViewChoice } from './view-choice.ts';

/** The layout of the editor: toolbar at the top, outline at the side, canvas and code in the middle. */
export function EditorShell({ open }: { readonly open: OpenFile }) {
  const { session, drafts } = open;
  const [view, setView] = useState<ViewChoice>(readViewChoice);
  const [withProblems, setWithProblems] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
  const save = useSave(open);
  const guard = useLeaveGuard(useCallback(() => session.view.isDirty, [session]));
  useUnloadGuard(session, drafts);
  useEditorKeys({ save: save.begin });
  const { showProblem, loop } = useTestLoopShortcuts(session, setWithProblems);
  const dock = useDock(view);
  const panel = view === 'code' ? undefined : dock;
  const commands = useCommands({ session, setView, setDialog, showProblem, loop, panel });
  useLineFromUrl(commands.showText);
  const choose = (next: ViewChoice): void => {
    setView(next);
    storeViewChoice(next);
  };
  return (
    <EditorProviders commands={commands} loop={loop}>
      <TestFollower session={session} />
      <div className={styles.page}>
        <EditorToolbar
          view={view}
          onView={choose}
          save={save}
          withProblems={withProblems}
          onProblems={() => setWithProblems(!withProblems)}
          onVersions={() => setDialog({ kind: 'versions' })}
        />
        <EditorNotices open={open} file={save.file} onShowProblems={() => setWithProblems(true)} />
        <OutlineFrame>
          <RunFrame>
            <DockFrame view={view}>
              <EditorMain view={view} />
            </DockFrame>
          </RunFrame>
          {withProblems && <ProblemList onClose={() => setWithProblems(false)} />}
        </OutlineFrame>
        <EditorDialogs
          open={open}
          save={save}
          guard={guard}
          dialog={dialog}
          onClose={() => setDialog(undefined)}
        />
      </div>
    </EditorProviders>
  );
}

interface ProviderProps {
  readonly commands: EditorCommands;
  readonly loop: TestLoop;
  readonly children: React.ReactNode;
}

/** Provides the contexts that all views of the editor use. */
function EditorProviders({ commands, loop, children }: ProviderProps) {
  return (
    <EditorCommandsProvider value={commands}>
      <TestLoopProvider value={loop}>
        <TestStoreProvider value={loop.store}>{children}</TestStoreProvider>
      </TestLoopProvider>
    </EditorCommandsProvider>
  );
}

interface EditorCommandOptions extends Pick<EditorCommands, 'showProblem'> {
  readonly session: EditorSession;
  readonly setView: (change: (now: ViewChoice) => ViewChoice) => void;
  readonly setDialog: (dialog: OpenDialog) => void;
  readonly loop: TestLoop;
  /** The panel with the form of a step; undefined when only the code is shown. */
  readonly panel: Panel | undefined;
}

/** Creates the commands that views can request from the page. */
function useCommands({
  session,
  setView,
  setDialog,
  showProblem,
  loop,
  panel,
}: EditorCommandOptions): EditorCommands {
  return useMemo(
    (): EditorCommands => ({
      showProblem,
      run: loop,
      rename: (step) => setDialog({ kind: 'rename', step }),
      listSteps: () => setDialog({ kind: 'steps' }),
      edit(ref) {
        session.select([ref], 'other');
        if (panel === undefined) return session.editor?.focus();
        setPanel(panel, true);
        usePanels.setState({ wantsFocus: true });
      },
      showText({ from, to }) {
        setView((now) => (now === 'canvas' ? 'split' : now));
        setPanel('drawer', false);
        requestAnimationFrame(() => {
          const effects = EditorView.scrollIntoView(from, { y: 'center' });
          session.dispatch({ selection: { anchor: from, head: to }, effects });
          session.editor?.focus();
        });
      },
    }),
    [session, setView, setDialog, showProblem, loop, panel],
  );
}

function EditorMain({ view }: { readonly view: ViewChoice }) {
  if (view === 'canvas') return <EditorCanvas />;
  if (view === 'code') return <CodePane />;
  return (
    <Split
      id="editor.code"
      label="Canvas width"
      direction="columns"
      initial={0.5}
      first={<EditorCanvas />}
      second={<CodePane />}
    />
  );
}
