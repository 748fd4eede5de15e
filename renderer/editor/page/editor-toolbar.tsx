import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { CircleCheck, FileDiff, History, LoaderCircle, Redo2, Save, Undo2 } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { pluralize } from '../../../core/base/text.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useCan } from '../../api/session-queries.ts';
import { showToast } from '../../ui/toasts.tsx';
import { paths } from '../../navigation/address.ts';
import { Button, IconButton, ButtonTooltip } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { Breadcrumb } from '../../ui/tabs.tsx';
import { SeverityMark } from '../../ui/status.tsx';
import type { FileView } from '../save/file-sync.ts';
import { isBlank } from '../run/test-loop.ts';
import { RunMenu } from '../run/run-menu.tsx';
import { useEditorSession, useSessionView, useIsPhone, type EditorView } from '../session/panel-state.ts';
import type { OpenFile } from './use-open-session.ts';
import styles from './editor.module.css';

export interface SaveControl {
  readonly file: FileView;
  /** Writes the file; if `reviewsFirst` is set, shows the changes for review before that. */
  readonly begin: () => void;
  /** Opens a preview of the changes. */
  readonly review: () => void;
  readonly isReviewing: boolean;
  readonly closeReview: () => void;
  /** Writes the file without a review. @returns whether it was written */
  readonly write: () => Promise<boolean>;
  /** Whether saving opens the review dialog first. */
  readonly reviewsFirst: boolean;
  readonly setReviewsFirst: (reviews: boolean) => void;
}

const reviewKey = 'stepwright.editor.review';

/** Whether saving opens the review dialog first; remembered in the browser. */
export function useReviewChoice(): readonly [boolean, (reviews: boolean) => void] {
  const [reviewsFirst, setReviewsFirst] = useState(() => localStorage.getItem(reviewKey) === 'yes');
  const choose = useCallback((reviews: boolean) => {
    localStorage.setItem(reviewKey, reviews ? 'yes' : 'no');
    setReviewsFirst(reviews);
  }, []);
  return [reviewsFirst, choose];
}

/** Saves the file and notifies the rest of the window. */
export function useSave({ session, sync, drafts }: OpenFile): SaveControl {
  const cache = useQueryClient();
  const file = useSyncExternalStore(sync.subscribe, () => sync.view);
  const may = useCan('dags.updateSpec').allowed;
  const [isReviewing, setIsReviewing] = useState(false);
  const [reviewsFirst, setReviewsFirst] = useReviewChoice();
  const write = useCallback(async (): Promise<boolean> => {
    if (sync.view.theirs) {
      showToast('error', 'The file has changed on disk. Resolve the conflict, then save.');
      return false;
    }
    const isWritten = await sync.save();
    // If saving failed, at least the draft is stored.
    await drafts.flush();
    if (!isWritten) return false;
    await Promise.all([
      cache.invalidateQueries({ queryKey: queryKeys.dag(session.fileName) }),
      cache.invalidateQueries({ queryKey: queryKeys.dags }),
    ]);
    return true;
  }, [cache, session, sync, drafts]);
  const review = useCallback(() => setIsReviewing(session.view.isDirty), [session]);
  const begin = useCallback(() => {
    if (!session.view.isDirty || !may) return;
    if (reviewsFirst && !isReviewing && !sync.view.theirs) return review();
    setIsReviewing(false);
    void write();
  }, [session, sync, may, reviewsFirst, isReviewing, review, write]);
  return {
    ...{ file, begin, review, write, isReviewing, reviewsFirst, setReviewsFirst },
    closeReview: useCallback(() => setIsReviewing(false), []),
  };
}

type KeyCommands = Pick<SaveControl, 'begin' | 'review'>;

/** Whether a key belongs to a field, which has its own undo. */
const isInField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, select, [contenteditable]:not(.cm-content)');

/**
 * Shortcuts of the whole editor page: Ctrl+S, Ctrl+Shift+S, Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y; with Command on macOS.
 */
export function useEditorKeys({ begin, review }: KeyCommands): void {
  const session = useEditorSession();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === 's') {
        event.preventDefault();
        return event.shiftKey ? review() : begin();
      }
      // The code pane has already handled its keys.
      if (event.defaultPrevented || isInField(event.target)) return;
      if (key === 'z' && !event.shiftKey) session.undo();
      else if (key === 'y' || key === 'z') session.redo();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [session, begin, review]);
}

interface EditorToolbarProps {
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
  readonly save: SaveControl;
  readonly withProblems: boolean;
  readonly onProblems: () => void;
  readonly onVersions: () => void;
}

const views = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'split', label: 'Split' },
  { value: 'code', label: 'Code' },
] as const;

const phoneViews = views.filter(({ value }) => value !== 'split');

/** The file name, and the actions on the whole file. */
export function EditorToolbar(props: EditorToolbarProps) {
  const isPhone = useIsPhone();
  const { view, onView, save, withProblems, onProblems, onVersions } = props;
  const { fileName } = useEditorSession();
  return (
    <header className={styles.toolbar}>
      <div className={styles.identity}>
        <Breadcrumb
          trail={[{ href: paths.workflows }, { label: fileName, href: paths.workflow(fileName) }]}
        />
        <div className={styles.titleLine}>
          <h1 className={styles.title} dir="auto" title={fileName}>
            {fileName}
          </h1>
          <DirtyIndicator isSaving={save.file.isSaving} />
        </div>
      </div>
      <HistoryButtons />
      <Segmented label="View" value={view} choices={isPhone ? phoneViews : views} onChange={onView} />
      <ProblemCount isOpen={withProblems} onPress={onProblems} />
      <div className={styles.actions}>
        <IconButton label="Versions" text="Versions" icon={History} onPress={onVersions} />
        <SaveButtons save={save} />
        <RunMenu />
      </div>
    </header>
  );
}

/** Indicates whether there are unsaved changes, by comparing the texts. */
export function DirtyIndicator({ isSaving }: { readonly isSaving: boolean }) {
  const isDirty = useSessionView((view) => view.isDirty);
  const words = isSaving ? 'Saving…' : isDirty ? 'Unsaved changes' : 'Saved';
  return (
    <span className={styles.dirty} data-dirty={isDirty || undefined} role="status">
      {words}
    </span>
  );
}

export function HistoryButtons() {
  const session = useEditorSession();
  const undo = useSessionView((view) => view.undo);
  const redo = useSessionView((view) => view.redo);
  return (
    <div className={styles.group} role="group" aria-label="History">
      <IconButton
        label={undo === undefined ? 'Undo' : `Undo ${undo}`}
        text="Undo"
        keys="Ctrl+Z"
        icon={Undo2}
        isDisabled={undo === undefined}
        onPress={() => session.undo()}
      />
      <IconButton
        label={redo === undefined ? 'Redo' : `Redo ${redo}`}
        text="Redo"
        keys="Ctrl+Shift+Z"
        icon={Redo2}
        isDisabled={redo === undefined}
        onPress={() => session.redo()}
      />
    </div>
  );
}

export function ProblemCount({
  isOpen,
  onPress,
}: {
  readonly isOpen: boolean;
  readonly onPress: () => void;
}) {
  const analysis = useSessionView((view) => view.analysis);
  const diagnostics = analysis?.diagnostics;
  const errors = diagnostics?.filter(({ severity }) => severity === 'error').length ?? 0;
  const warnings = (diagnostics?.length ?? 0) - errors;
  const name =
    diagnostics === undefined
      ? 'Validating…'
      : `Problems: ${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`;
  if (analysis && isBlank(analysis)) return null;
  return (
    <ButtonTooltip text={isOpen ? 'Hide problems' : 'Show problems'}>
      <AriaButton className={styles.problems} aria-label={name} aria-expanded={isOpen} onPress={onPress}>
        {diagnostics === undefined && <LoaderCircle size={16} aria-hidden="true" />}
        {diagnostics?.length === 0 && (
          <>
            <CircleCheck size={16} className={styles.good} aria-hidden="true" />
            <span className={styles.toolText}>Problems</span>
          </>
        )}
        {errors > 0 && (
          <>
            <SeverityMark severity="error" size={16} isDecorative />
            {errors}
            {warnings === 0 && <span className={styles.toolText}>{errors === 1 ? ' error' : ' errors'}</span>}
          </>
        )}
        {warnings > 0 && (
          <>
            <SeverityMark severity="warning" size={16} isDecorative />
            {warnings}
            {errors === 0 && (
              <span className={styles.toolText}>{warnings === 1 ? ' warning' : ' warnings'}</span>
            )}
          </>
        )}
      </AriaButton>
    </ButtonTooltip>
  );
}

function SaveButtons({ save }: { readonly save: SaveControl }) {
  const isDirty = useSessionView((view) => view.isDirty);
  const may = useCan('dags.updateSpec');
  return (
    <>
      <IconButton
        label="Review changes"
        text="Changes"
        keys="Ctrl+Shift+S"
        icon={FileDiff}
        isDisabled={!isDirty}
        onPress={save.review}
      />
      <ButtonTooltip text="Save (Ctrl+S)">
        <Button
          variant="primary"
          icon={Save}
          isDisabled={!isDirty}
          isPending={save.file.isSaving}
          unavailable={may.reason}
          onPress={save.begin}
        >
          Save
        </Button>
      </ButtonTooltip>
    </>
  );
}
