import { Merge } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { useEditorSession } from '../session/use-session.ts';
import type { FileSync, FileView } from './file-sync.ts';
import { MergeDialog } from './merge-dialog.tsx';
import styles from './save.module.css';

interface FileNoticesProps {
  readonly sync: FileSync;
  readonly file: FileView;
  /** The time of the restored draft; absent after the notice was dismissed. */
  readonly restored: React.ReactNode;
  readonly onKeepDraft: () => void;
  readonly onDiscardDraft: () => void;
  readonly onShowProblems: () => void;
}

/** Notices about the file: changed by others, not saved, saved with errors, restored from a draft. */
export function FileNotices(props: FileNoticesProps) {
  const { sync, file, restored, onKeepDraft, onDiscardDraft, onShowProblems } = props;
  return (
    <>
      {restored !== undefined && (
        <Notice
          tone="info"
          action={
            <span className={styles.banner}>
              <Button size="small" onPress={onDiscardDraft}>
                Discard changes
              </Button>
              <Button size="small" onPress={onKeepDraft}>
                Keep changes
              </Button>
            </span>
          }
        >
          <strong>Unsaved changes restored.</strong> Draft saved {restored}.
        </Notice>
      )}
      {file.theirs && <ConflictNotice sync={sync} theirs={file.theirs.text} />}
      {file.problem !== undefined && (
        <Notice tone="error" action={<CloseButton sync={sync} />}>
          <strong>File not saved.</strong> {file.problem}
        </Notice>
      )}
      {file.errors > 0 && (
        <Notice
          tone="warning"
          action={
            <span className={styles.banner}>
              <Button size="small" onPress={onShowProblems}>
                {file.errors === 1 ? 'Show problem' : 'Show problems'}
              </Button>
              <CloseButton sync={sync} />
            </span>
          }
        >
          <strong>Saved with {pluralize(file.errors, 'error')}.</strong> Fix the errors before this workflow
          can run.
        </Notice>
      )}
    </>
  );
}

function CloseButton({ sync }: { readonly sync: FileSync }) {
  return (
    <Button size="small" onPress={() => sync.dismissProblem()}>
      Close
    </Button>
  );
}

function ConflictNotice({ sync, theirs }: { readonly sync: FileSync; readonly theirs: string }) {
  const session = useEditorSession();
  const [isMerging, setIsMerging] = useState(false);
  return (
    <>
      <Notice
        tone="warning"
        action={
          <span className={styles.banner}>
            <Button size="small" onPress={() => sync.acceptTheirs()}>
              Take theirs
            </Button>
            <Button size="small" onPress={() => sync.acceptMine()}>
              Keep mine
            </Button>
            <Button size="small" variant="primary" icon={Merge} onPress={() => setIsMerging(true)}>
              Merge…
            </Button>
          </span>
        }
      >
        <strong>The file has changed on disk.</strong> You have unsaved changes.
      </Notice>
      {isMerging && (
        <MergeDialog
          base={session.saved.text}
          mine={session.text}
          theirs={theirs}
          onMerge={(text) => sync.acceptMerged(text)}
          onClose={() => setIsMerging(false)}
        />
      )}
    </>
  );
}
