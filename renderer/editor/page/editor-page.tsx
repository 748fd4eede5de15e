import { useEffect, useRef, useCallback, useMemo, useState } from 'react';
import { EditorView } from '@codemirror/view';
import { Eye, Lock } from 'lucide-react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { useQueryParams, paths, useLeaveGuard } from '../../navigation/address.ts';
import { Split } from '../../ui/splitter.tsx';
import { useCan } from '../../api/session-queries.ts';
import { MissingWorkflow } from '../../features/workflow/workflow-notices.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { findNodeAt } from '../session/node-selection.ts';
import {
  useEditorSession,
  useSessionView,
  EditorSessionProvider,
  setPanel,
  usePanels,
  useDock,
  readViewChoice,
  storeViewChoice,
  type EditorView as ViewChoice,
  useIsPhone,
} from '../session/panel-state.ts';
import { type EditorCommands, EditorCommandsProvider, type OpenDialog } from '../run/editor-commands.ts';
import type { TestLoop } from '../run/test-loop.ts';
import { useRunKeys } from '../run/run-menu.tsx';
import { useTestLoop, TestFollower, TestLoopProvider } from '../run/use-test-loop.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { EditorCanvas } from '../canvas/editor-canvas.tsx';
import { CodePane } from '../code/code-pane.tsx';
import { RunFrame } from '../run/run-panels.tsx';
import { TestStoreProvider } from '../run/test-store.ts';
import { type EditorStart, useEditorStart } from '../save/load-editor.ts';
import { revealProblem, EditorNotices, ProblemList, useProblemsPanel } from './editor-notices.tsx';
import { EditorDialogs, useUnloadGuard } from './editor-dialogs.tsx';
import styles from './editor.module.css';
import { EditorToolbar, useEditorKeys, useSave, type SaveControl } from './editor-toolbar.tsx';
import { DockFrame, OutlineFrame } from './editor-panes.tsx';
import { type OpenFile, useOpenSession } from './use-open-session.ts';
import { toNodeRef } from '../../../core/edit/outline.ts';

/**
 * Navigates to the line in the address (`?line=12`, counted from 1; clamped to the last line), as search results
 * link to, and selects its step once the steps are known.
 */
function useLineFromUrl(showText: EditorCommands['showText']): void {
  const session = useEditorSession();
  const [query] = useQueryParams();
  const line = Number(query.get('line'));
  const isRead = useSessionView(({ analysis }) => analysis !== undefined);
  const shown = useRef<{ readonly line: number; readonly at: number }>(undefined);
  useEffect(() => {
    if (!Number.isInteger(line) || line < 1 || shown.current?.line === line) return;
    const { doc } = session.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    shown.current = { line, at: from };
    showText({ from, to: from });
  }, [session, line, showText]);
  useEffect(() => {
    const { analysis, selection } = session.view;
    const at = shown.current?.at;
    // If the user has moved on in the meantime, nothing is selected.
    if (!isRead || !analysis || at === undefined || selection.length > 0) return;
    const step = findNodeAt(analysis, session.locateInAnalysis(at));
    if (step) session.select([toNodeRef(step)], 'code');
  }, [session, isRead]);
}

/** The test loop of the page, and navigation to problems of the text. */
function useProblemNavigation(
  session: EditorSession,
  openProblems: (isOpen: true) => void,
): Pick<EditorCommands, 'showProblem'> & { readonly loop: TestLoop } {
  const showProblem = useCallback(
    (problem: Diagnostic) => {
      openProblems(true);
      revealProblem(session, problem);
    },
    [session, openProblems],
  );
  const loop = useTestLoop(session, showProblem);
  return { showProblem, loop };
}

/** The layout of the editor: toolbar at the top, outline at the side, canvas and code in the middle. */
function EditorShell({ open }: { readonly open: OpenFile }) {
  const { session, drafts } = open;
  const [chosenView, setView] = useState<ViewChoice>(readViewChoice);
  const isPhone = useIsPhone();
  const view = isPhone && chosenView === 'split' ? 'canvas' : chosenView;
  const [withProblems, setWithProblems] = useProblemsPanel();
  const [dialog, setDialog] = useState<OpenDialog>();
  const save = useSave(open);
  const guard = useLeaveGuard(useCallback(() => session.view.isDirty, [session]));
  useUnloadGuard(session, drafts);
  const { showProblem, loop } = useProblemNavigation(session, setWithProblems);
  const commands = useCommands({ session, view, setView, setDialog, showProblem, loop, save });
  useEditorKeys(save);
  useRunKeys(commands, session);
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
  readonly view: ViewChoice;
  readonly setView: (change: (now: ViewChoice) => ViewChoice) => void;
  readonly setDialog: (dialog: OpenDialog) => void;
  readonly loop: TestLoop;
  readonly save: SaveControl;
}

/** How many frames to wait for the code pane. */
const maxMountFrames = 120;

/** Creates the commands that views can request from the page. */
function useCommands(options: EditorCommandOptions): EditorCommands {
  const { session, view, setView, setDialog, showProblem, loop } = options;
  const { write } = options.save;
  const dock = useDock(view);
  return useMemo((): EditorCommands => {
    const openForm = (wantsFocus: string | true): void => {
      setPanel(dock, true);
      usePanels.setState({ wantsFocus });
    };
    return {
      showProblem,
      run: loop,
      rename: (step) => setDialog({ kind: 'rename', step }),
      listSteps: () => setDialog({ kind: 'steps' }),
      edit(ref) {
        session.select([ref], 'other');
        if (view === 'code') session.editor?.focus();
        else openForm(true);
      },
      editWorkflow(field) {
        session.selectWorkflow(session.view.document, 'other');
        openForm(field);
      },
      toggleWorkflow() {
        if (dock !== 'drawer') return;
        const isShown = usePanels.getState().open.drawer && session.view.selection.length === 0;
        setPanel('drawer', !isShown);
      },
      saveAndRun() {
        if (!session.view.isDirty) loop.runAll();
        else void write().then((isWritten) => isWritten && loop.runAll());
      },
      editTriggers() {
        session.selectWorkflow(undefined, 'other');
        openForm(true);
        usePanels.setState({ isTriggerShown: true });
      },
      showText({ from, to }) {
        setView((now) => (now === 'canvas' ? 'split' : now));
        const reveal = (frames: number): void => {
          // The code pane may have to be mounted first.
          if (session.editor === undefined && frames > 0)
            return void requestAnimationFrame(() => reveal(frames - 1));
          const effects = EditorView.scrollIntoView(from, { y: 'center' });
          session.dispatch({ selection: { anchor: from, head: to }, effects });
          session.editor?.focus();
        };
        requestAnimationFrame(() => reveal(maxMountFrames));
      },
    };
  }, [session, view, setView, setDialog, showProblem, loop, write, dock]);
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

/** The editor of one workflow file. */
export function EditorPage({ fileName }: { readonly fileName: string }) {
  const may = useCan('dags.updateSpec');
  if (may.allowed) return <FileEditor fileName={fileName} />;
  return (
    <EmptyState icon={Lock} title="You do not have permission to edit workflows">
      <p>{may.reason}</p>
      <LinkButton href={paths.workflow(fileName)} icon={Eye}>
        View {fileName}
      </LinkButton>
    </EmptyState>
  );
}

function FileEditor({ fileName }: { readonly fileName: string }) {
  const start = useEditorStart(fileName);
  return (
    <QueryState query={start} what="This workflow" missing={<MissingWorkflow fileName={fileName} />}>
      {(started) => <OpenEditor fileName={fileName} start={started} />}
    </QueryState>
  );
}

interface OpenEditorProps {
  readonly fileName: string;
  readonly start: EditorStart;
}

function OpenEditor({ fileName, start }: OpenEditorProps) {
  const open = useOpenSession(fileName, start);
  return (
    <EditorSessionProvider value={open.session}>
      <EditorShell open={open} />
    </EditorSessionProvider>
  );
}
