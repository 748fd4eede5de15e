import { useState } from 'react';
import { BaseConfigErrorNotice } from '../../features/workflow/base-fault-notice.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { FileNotices } from '../save/file-notices.tsx';
import type { FileView } from '../save/file-sync.ts';
import { useTestState } from '../run/test-store.ts';
import { useSessionView } from '../session/use-session.ts';
import type { OpenFile } from './opening/use-open-session.ts';

interface EditorNoticesProps {
  readonly open: OpenFile;
  readonly file: FileView;
  readonly onShowProblems: () => void;
}

/** Notices about the file, below the toolbar. */
export function EditorNotices({ open, file, onShowProblems }: EditorNoticesProps) {
  const { session, sync, restoredAt } = open;
  const [isTold, setIsTold] = useState(restoredAt === undefined);
  const discard = (): void => {
    // An edit, so that it can be undone; without a difference the draft is removed.
    session.replaceText(session.saved.text, 'discard changes');
    setIsTold(true);
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
        restored={isTold || restoredAt === undefined ? undefined : <RelativeTime iso={restoredAt} />}
        onKeepDraft={() => setIsTold(true)}
        onDiscardDraft={discard}
        onShowProblems={onShowProblems}
      />
    </>
  );
}
