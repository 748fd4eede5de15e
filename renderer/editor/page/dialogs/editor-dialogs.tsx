import { ReviewDialog } from '../../save/review-dialog.tsx';
import { useSessionView } from '../../session/use-session.ts';
import { VersionsDialog } from '../../versions/versions-dialog.tsx';
import type { OpenDialog } from '../editor-commands.ts';
import { LeaveDialog } from '../leaving/leave-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { StepPicker } from './step-picker.tsx';
import type { LeaveGuard } from '../leaving/use-leave-guard.ts';
import type { OpenFile } from '../opening/use-open-session.ts';
import type { SaveControl } from '../use-save.ts';

interface EditorDialogsProps {
  readonly open: OpenFile;
  readonly save: SaveControl;
  readonly guard: LeaveGuard;
  readonly dialog: OpenDialog | undefined;
  readonly onClose: () => void;
}

/** The dialogs of the editor. */
export function EditorDialogs({ open, save, guard, dialog, onClose }: EditorDialogsProps) {
  const { session, sync, drafts } = open;
  const errors = useSessionView(
    (view) => view.analysis?.diagnostics.filter(({ severity }) => severity === 'error').length ?? 0,
  );
  return (
    <>
      {dialog?.kind === 'rename' && <RenameDialog step={dialog.step} onClose={onClose} />}
      {dialog?.kind === 'steps' && <StepPicker onClose={onClose} />}
      {dialog?.kind === 'versions' && <VersionsDialog sync={sync} onClose={onClose} />}
      {save.isReviewing && (
        <ReviewDialog
          title="Review changes"
          before={session.saved.text}
          after={session.text}
          confirm={{ label: 'Save', run: save.write }}
          errors={errors}
          always={{ value: save.reviewsFirst, onChange: save.setReviewsFirst }}
          onClose={save.closeReview}
        />
      )}
      {guard.target !== undefined && <LeaveDialog guard={guard} drafts={drafts} />}
    </>
  );
}
