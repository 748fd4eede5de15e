import { X } from 'lucide-react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './overlay.module.css';

interface DialogProps {
  readonly title: string;
  /** `wide` is for reading, `normal` for a few fields. */
  readonly size?: 'normal' | 'wide';
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
