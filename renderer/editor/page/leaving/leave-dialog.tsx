import { useState } from 'react';
import { toAppError } from '../../../../core/base/errors.ts';
import type { DraftKeeper } from '../../save/draft-keeper.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { Dialog, DialogActions } from '../../../ui/overlay/dialog.tsx';
import styles from '../editor.module.css';
import type { LeaveGuard } from './use-leave-guard.ts';

interface LeaveDialogProps {
  readonly guard: LeaveGuard;
  readonly drafts: DraftKeeper;
}

/** Asks what to do with unsaved changes. */
export function LeaveDialog({ guard, drafts }: LeaveDialogProps) {
  const [failure, setFailure] = useState<unknown>();
  const keep = async (): Promise<void> => {
    await drafts.flush();
    if (drafts.failure === undefined) guard.leave();
    else setFailure(drafts.failure);
  };
  const discard = async (): Promise<void> => {
    try {
      await drafts.discard();
      guard.leave();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog title="Save as a draft?" onClose={guard.stay}>
      <div className={styles.question}>
        <p>You have unsaved changes. Runs use the last saved version.</p>
      </div>
      {failure !== undefined && <Notice tone="error">{toAppError(failure).message}</Notice>}
      <DialogActions>
        <Button variant="danger" onPress={() => void discard()}>
          Discard changes
        </Button>
        <Button onPress={guard.stay}>Stay</Button>
        <Button variant="primary" autoFocus onPress={() => void keep()}>
          Save draft
        </Button>
      </DialogActions>
    </Dialog>
  );
}
