import type { LucideIcon } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { RefusalScope } from '../controls/refusal-scope.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import styles from './overlay.module.css';

interface FormDialogProps {
  readonly title: string;
  readonly submit: {
    readonly label: string;
    readonly icon: LucideIcon;
    /** What it does cannot be undone. */
    readonly isDanger?: boolean;
    readonly isPending: boolean;
    /** Something is still missing. */
    readonly isBlocked?: boolean;
  };
  /** Why the engine has refused it; said at the fields it is about, when they have the names that scripts know. */
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A dialog that asks for a few things, or only whether it is meant, and does one thing with the answer. */
export function FormDialog({ title, submit, error, onSubmit, onClose, children }: FormDialogProps) {
  const { label, icon, isDanger = false, isPending, isBlocked = false } = submit;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && !isBlocked) onSubmit();
        }}
      >
        <RefusalScope error={error}>
          <div className={styles.formBody}>{children}</div>
          <RefusalNotice error={error} />
        </RefusalScope>
        <DialogActions>
          {/* Return must not destroy what nobody has looked at. */}
          <Button onPress={onClose} autoFocus={isDanger}>
            Cancel
          </Button>
          <Button
            look={isDanger ? 'destroy' : 'primary'}
            type="submit"
            icon={icon}
            isPending={isPending}
            isDisabled={isBlocked}
          >
            {label}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
