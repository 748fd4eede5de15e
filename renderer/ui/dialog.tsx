import { X, type LucideIcon } from 'lucide-react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { fieldErrorText, errorText } from '../format/error-text.ts';
import { useUnclaimedErrors, FieldErrorScope } from './fields.tsx';
import { Notice } from './state.tsx';
import { IconButton, Button } from './button.tsx';
import styles from './overlay.module.css';

/** The engine's messages about a form that belong to none of its fields. */
export function FormErrorNotice({ error }: { readonly error: unknown }) {
  const { others, hasFaults } = useUnclaimedErrors();
  if (!error || (hasFaults && others.length === 0)) return null;
  return <Notice tone="error">{hasFaults ? others.map(fieldErrorText).join(' ') : errorText(error)}</Notice>;
}

interface DialogProps {
  readonly title: string;
  /** `wide` is for reading, `normal` for a few fields, `full` for contents of any size. */
  readonly size?: 'normal' | 'wide' | 'full';
  /** Closing loses its contents, so clicks outside must not close it. */
  readonly isSticky?: boolean;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A modal dialog: traps the focus; Escape and a click outside close it. */
export function Dialog({ title, size = 'normal', isSticky = false, onClose, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={!isSticky}
      isKeyboardDismissDisabled={isSticky}
      onOpenChange={(open) => !open && onClose()}
      className={styles.scrim}
    >
      <Modal className={styles.modal} data-size={size}>
        <AriaDialog className={styles.dialog}>
          <div className={styles.dialogHead}>
            <Heading slot="title" className={styles.dialogTitle} dir="auto">
              {title}
            </Heading>
            <IconButton label="Close" icon={X} onPress={onClose} />
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the bottom of a dialog; the main action is last. */
export function DialogActions({ children }: Pick<DialogProps, 'children'>) {
  return <div className={styles.dialogActions}>{children}</div>;
}

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
