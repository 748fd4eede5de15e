import { EditorView } from '@codemirror/view';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { IconButton } from '../../ui/button.tsx';
import { DiagnosticList } from '../../ui/status.tsx';
import { BaseConfigErrorNotice } from '../../features/workflow/workflow-notices.tsx';
import { Notice } from '../../ui/state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { getOffset } from '../../code/code-marks.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { findLocalDagAt, findNodeAt } from '../session/node-selection.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import { FileNotices } from '../save/file-notices.tsx';
import type { FileView } from '../save/file-sync.ts';
import { useTestState } from '../run/test-store.ts';
import styles from './editor.module.css';
import type { OpenFile } from './use-open-session.ts';
import { toNodeRef } from '../../../core/edit/outline.ts';

/** Selects the step with a problem and moves the cursor to it. */
export function revealProblem(session: EditorSession, diagnostic: Diagnostic): void {
  const { analysis } = session.view;
  const at = getOffset(session.state.doc, diagnostic);
  const known = session.locateInAnalysis(at);
  const step = analysis && findNodeAt(analysis, known);
  if (step) session.select([toNodeRef(step)], 'code');
  else if (analysis) session.selectWorkflow(findLocalDagAt(analysis.outline, known), 'code');
  session.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  session.editor?.focus();
}

const nothing: readonly Diagnostic[] = [];

/** Whether the problems are shown; closes them once the last one is fixed. */
export function useProblemsPanel() {
  const panel = useState(false);
  const [, setIsOpen] = panel;
  const count = useSessionView((view) => view.analysis?.diagnostics.length ?? 0);
  const previous = useRef(count);
  useEffect(() => {
    if (count === 0 && previous.current > 0) setIsOpen(false);
    previous.current = count;
  }, [count, setIsOpen]);
  return panel;
}

/** The problems of the file; each entry links to its position. */
export function ProblemList({ onClose }: { readonly onClose: () => void }) {
  const session = useEditorSession();
  const diagnostics = useSessionView((view) => view.analysis?.diagnostics ?? nothing);
  return (
    <section className={styles.problemList} aria-label="Problems">
      <div className={styles.panelHead}>
        <h2>Problems</h2>
        <IconButton label="Close problems" icon={X} size="small" onPress={onClose} />
      </div>
      {diagnostics.length === 0 ? (
        <p className={styles.none}>No problems</p>
      ) : (
        <DiagnosticList diagnostics={diagnostics} onGo={(diagnostic) => revealProblem(session, diagnostic)} />
      )}
    </section>
  );
}

interface EditorNoticesProps {
  readonly open: OpenFile;
  readonly file: FileView;
  readonly onShowProblems: () => void;
}

/** Notices about the file, below the toolbar. */
export function EditorNotices({ open, file, onShowProblems }: EditorNoticesProps) {
  const { session, sync, restoredAt } = open;
  const [isDismissed, setIsDismissed] = useState(restoredAt === undefined);
  const discard = (): void => {
    // An edit, so that it can be undone; without a difference the draft is removed.
    session.replaceText(session.saved.text, 'discard changes');
    setIsDismissed(true);
    showToast('info', 'Unsaved changes discarded.');
  };
  const failure = useSessionView((view) => view.failure);
  const baseConfigIssue = useTestState((state) => state.baseConfigIssue);
  return (
    <>
      {failure !== undefined && (
        <Notice tone="error">
          <strong>Validation failed.</strong> {`You can still edit and save. ${failure}`}
        </Notice>
      )}
      {baseConfigIssue && <BaseConfigErrorNotice diagnostic={baseConfigIssue} />}
      <FileNotices
        sync={sync}
        file={file}
        restored={isDismissed || restoredAt === undefined ? undefined : <RelativeTime iso={restoredAt} />}
        onKeepDraft={() => setIsDismissed(true)}
        onDiscardDraft={discard}
        onShowProblems={onShowProblems}
      />
    </>
  );
}
