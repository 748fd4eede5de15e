import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileDiff, Lock, Save, Settings } from 'lucide-react';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths, useLeaveGuard } from '../../navigation/address.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Split } from '../../ui/splitter.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Breadcrumb } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CodePane } from '../code/code-pane.tsx';
import { InspectorPane } from '../inspector/inspector-pane.tsx';
import { EditorCommandsProvider, type EditorCommands } from '../run/editor-commands.ts';
import { TestStoreProvider } from '../run/test-store.ts';
import { TestLoopProvider, useTestLoop } from '../run/use-test-loop.ts';
import { loadBase, useBaseSession, type OpenBase } from '../save/base-file.ts';
import { FileNotices } from '../save/file-notices.tsx';
import { ReviewDialog } from '../save/review-dialog.tsx';
import {
  useIsPhone,
  EditorSessionProvider,
  useEditorSession,
  useSessionView,
} from '../session/panel-state.ts';
import { ProblemList, revealProblem } from './editor-notices.tsx';
import {
  DirtyIndicator,
  HistoryButtons,
  ProblemCount,
  useEditorKeys,
  useReviewChoice,
} from './editor-toolbar.tsx';
import styles from './editor.module.css';

/** The editor of the base configuration. */
export function BaseEditorPage() {
  const may = useCan('config.setBase');
  if (may.allowed) return <LoadedBaseEditor />;
  return (
    <EmptyState icon={Lock} title="You do not have permission to edit the base configuration">
      <p>{may.reason}</p>
      <LinkButton href={paths.settings} icon={Settings}>
        Open settings
      </LinkButton>
    </EmptyState>
  );
}

function LoadedBaseEditor() {
  const bridge = useBridge();
  const start = useQuery({
    queryKey: queryKeys.baseConfig,
    queryFn: () => loadBase(bridge),
    // Read once per visit; after that the session watches the file.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <QueryState query={start} what="The base configuration">
      {(started) => <BaseEditor start={started} />}
    </QueryState>
  );
}

function BaseEditor({ start }: { readonly start: Awaited<ReturnType<typeof loadBase>> }) {
  const open = useBaseSession(start);
  return (
    <EditorSessionProvider value={open.session}>
      <BaseShell open={open} />
    </EditorSessionProvider>
  );
}

type View = 'form' | 'split' | 'code';

const views = [
  { value: 'form', label: 'Form' },
  { value: 'split', label: 'Split' },
  { value: 'code', label: 'Code' },
] as const;

/** Toolbar, notices, and the form next to the code. */
function BaseShell({ open }: { readonly open: OpenBase }) {
  const { session } = open;
  const isPhone = useIsPhone();
  const [chosen, setView] = useState<View>('split');
  const view = isPhone && chosen === 'split' ? 'code' : chosen;
  const [withProblems, setWithProblems] = useState(false);
  const save = useBaseSave(open);
  const guard = useLeaveGuard(useCallback(() => session.view.isDirty, [session]));
  useEditorKeys(save);
  const showCode = useCallback(() => setView((now) => (now === 'form' ? 'split' : now)), []);
  return (
    <BaseProviders showCode={showCode} openProblems={setWithProblems}>
      <div className={styles.page}>
        <BaseToolbar open={open} save={save}>
          <Segmented
            label="View"
            value={view}
            choices={isPhone ? views.filter(({ value }) => value !== 'split') : views}
            onChange={setView}
          />
          <ProblemCount isOpen={withProblems} onPress={() => setWithProblems(!withProblems)} />
        </BaseToolbar>
        <FileNotices sync={open.sync} file={save.file} onShowProblems={() => setWithProblems(true)} />
        <div className={styles.frame}>
          <BaseMain view={view} onHideForm={() => setView('code')} />
        </div>
        {withProblems && <ProblemList onClose={() => setWithProblems(false)} />}
        {save.isReviewing && (
          <ReviewDialog
            title="Review changes"
            before={session.saved.text}
            after={session.text}
            confirm={{ label: 'Save', run: save.confirm }}
            always={{ value: save.reviewsFirst, onChange: save.setReviewsFirst }}
            errors={0}
            onClose={save.closeReview}
          />
        )}
        {guard.target !== undefined && <DiscardDialog onStay={guard.stay} onDiscard={guard.leave} />}
      </div>
    </BaseProviders>
  );
}

interface MainProps {
  readonly view: View;
  readonly onHideForm: () => void;
}

function BaseMain({ view, onHideForm }: MainProps) {
  const session = useEditorSession();
  // Closing the form of a handler shows all fields again.
  const close = (): void =>
    session.view.selection.length > 0 ? session.selectWorkflow(undefined, 'other') : onHideForm();
  const form = <InspectorPane onClose={close} />;
  if (view === 'form') return form;
  if (view === 'code') return <CodePane />;
  return (
    <Split
      id="editor.base"
      label="Code width"
      direction="columns"
      initial={0.6}
      first={<CodePane />}
      second={form}
    />
  );
}

interface ToolbarProps {
  readonly open: OpenBase;
  readonly save: ReturnType<typeof useBaseSave>;
  readonly children: React.ReactNode;
}

function BaseToolbar({ open, save, children }: ToolbarProps) {
  return (
    <header className={styles.toolbar}>
      <div className={styles.identity}>
        <Breadcrumb trail={[{ href: paths.settings }, { label: 'Installation', href: paths.installation }]} />
        <div className={styles.titleLine}>
          <h1 className={styles.title} title={open.file}>
            Base configuration
          </h1>
          <DirtyIndicator isSaving={save.file.isSaving} />
        </div>
      </div>
      <HistoryButtons />
      {children}
      <BaseActions save={save} />
    </header>
  );
}

interface ProviderProps {
  readonly showCode: () => void;
  readonly openProblems: (isOpen: true) => void;
  readonly children: React.ReactNode;
}

/** Provides what code and form request from the page. There are no steps, so nothing to run or to rename. */
function BaseProviders({ showCode, openProblems, children }: ProviderProps) {
  const session = useEditorSession();
  const showProblem = useCallback(
    (problem: Diagnostic) => {
      openProblems(true);
      revealProblem(session, problem);
    },
    [session, openProblems],
  );
  const loop = useTestLoop(session, showProblem);
  const commands = useMemo((): EditorCommands => {
    const nothing = (): void => undefined;
    return {
      ...{ showProblem, run: loop, rename: nothing, listSteps: nothing, editTriggers: nothing },
      ...{ editWorkflow: nothing, toggleWorkflow: nothing, saveAndRun: nothing },
      edit: (ref) => session.select([ref], 'other'),
      showText({ from, to }) {
        showCode();
        requestAnimationFrame(() => {
          session.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
          session.editor?.focus();
        });
      },
    };
  }, [session, showProblem, loop, showCode]);
  return (
    <EditorCommandsProvider value={commands}>
      <TestLoopProvider value={loop}>
        <TestStoreProvider value={loop.store}>{children}</TestStoreProvider>
      </TestLoopProvider>
    </EditorCommandsProvider>
  );
}

/** Saves the file after a review. A text with errors is not saved, because then no workflow could run. */
function useBaseSave({ session, sync }: OpenBase) {
  const cache = useQueryClient();
  const file = useSyncExternalStore(sync.subscribe, () => sync.view);
  const [isReviewing, setIsReviewing] = useState(false);
  const [reviewsFirst, setReviewsFirst] = useReviewChoice();
  const write = useCallback(async () => {
    if (!(await sync.save())) return;
    showToast('info', 'Saved. New runs use it.');
    await Promise.all(
      [queryKeys.mail, queryKeys.baseConfigIssue, queryKeys.dags].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    );
  }, [cache, sync]);
  const begin = useCallback(() => {
    if (!session.view.isDirty) return;
    const errors = countErrors(session.view.analysis?.diagnostics);
    if (errors > 0) return showToast('error', describeErrors(errors));
    if (sync.view.theirs)
      return showToast('error', 'The file has changed on disk. Resolve the conflict, then save.');
    if (reviewsFirst) return setIsReviewing(true);
    void write();
  }, [session, sync, reviewsFirst, write]);
  // The review may also be opened while there are errors.
  const confirm = useCallback(() => {
    const errors = countErrors(session.view.analysis?.diagnostics);
    if (errors > 0) showToast('error', describeErrors(errors));
    else void write();
  }, [session, write]);
  return {
    ...{ file, begin, isReviewing, reviewsFirst, setReviewsFirst },
    review: useCallback(() => setIsReviewing(true), []),
    closeReview: useCallback(() => setIsReviewing(false), []),
    confirm,
  };
}

const countErrors = (diagnostics: readonly Diagnostic[] = []): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length;

const describeErrors = (errors: number): string =>
  `Fix ${pluralize(errors, 'error')} first. With errors, no workflow could run.`;

function BaseActions({ save }: { readonly save: ReturnType<typeof useBaseSave> }) {
  const isDirty = useSessionView((view) => view.isDirty);
  const errors = useSessionView((view) => countErrors(view.analysis?.diagnostics));
  return (
    <div className={styles.actions}>
      <IconButton label="Review changes" icon={FileDiff} isDisabled={!isDirty} onPress={save.review} />
      <Button
        variant="primary"
        icon={Save}
        isDisabled={!isDirty}
        isPending={save.file.isSaving}
        unavailable={isDirty && errors > 0 ? describeErrors(errors) : undefined}
        onPress={save.begin}
      >
        Save
      </Button>
    </div>
  );
}

interface DiscardProps {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

function DiscardDialog({ onStay, onDiscard }: DiscardProps) {
  return (
    <Dialog title="Discard changes?" onClose={onStay}>
      <div className={styles.question}>
        <p>Your changes of the base configuration are not saved.</p>
      </div>
      <DialogActions>
        <Button variant="danger" onPress={onDiscard}>
          Discard changes
        </Button>
        <Button variant="primary" autoFocus onPress={onStay}>
          Keep editing
        </Button>
      </DialogActions>
    </Dialog>
  );
}
