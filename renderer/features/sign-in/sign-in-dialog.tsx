import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useSessionState } from '../../api/session/session.ts';
import overlay from '../../ui/overlay/overlay.module.css';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in.module.css';

/** Asks for a new session above the application; it closes only when there is one. */
export function SignInDialog() {
  const { who } = useSessionState();
  return (
    <ModalOverlay isOpen isKeyboardDismissDisabled className={`${overlay.scrim} ${styles.scrim}`}>
      <Modal className={`${overlay.modal} ${styles.modal}`}>
        <Dialog className={styles.dialog}>
          <Heading slot="title" className={styles.title}>
            Your session has ended
          </Heading>
          <p className={styles.text}>Sign in again to continue. Your changes are kept.</p>
          <SignIn isContinued username={who?.user?.username} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
