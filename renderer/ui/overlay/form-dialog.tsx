import type { LucideIcon } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { FieldErrorScope } from '../controls/field-error-scope.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { FormErrorNotice } from './refusal-notice.tsx';
import styles from './overlay.module.css';

interface FormDialogProps {
  readonly title: string;
  readonly submit: {
    readonly label: string;
    readonly icon: LucideIcon;
    /** The action cannot be undone. */
    readonly isDanger?: boolean;
    readonly isPending: boolean;
    /** Required input is missing. */
    readonly isBlocked?: boolean;
  };
  /** The engine's error; shown at the affected fields if their names match those in the API. */
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A dialog with a few fields or a confirmation, and one action. */
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
        <FieldErrorScope error={error}>
          <div className={styles.formBody}>{children}</div>
          <FormErrorNotice error={error} />
        </FieldErrorScope>
        <DialogActions>
          {/* Enter must not confirm a destructive action that the user has not read. */}
          <Button onPress={onClose} autoFocus={isDanger}>
            Cancel
          </Button>
          <Button
            variant={isDanger ? 'destroy' : 'primary'}
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
