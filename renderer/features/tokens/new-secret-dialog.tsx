import type { OperationOutput } from '../../../core/contract/operations.ts';
import { roleLabels } from '../../format/role.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx';
import styles from './tokens.module.css';

interface NewSecretDialogProps {
  readonly created: OperationOutput<'tokens.create'>;
  readonly onClose: () => void;
}

/** Shows the secret of a new token, which is shown only once. */
export function NewSecretDialog({ created, onClose }: NewSecretDialogProps) {
  const { token, secret } = created;
  return (
    <Dialog title={`Token ${token.name}`} isSticky onClose={onClose}>
      <Notice tone="warning">
        Copy it now. It is shown only once. Anyone with this token has the role{' '}
        <b>{roleLabels[token.role].toLowerCase()}</b>.
      </Notice>
      <div className={styles.secretBody}>
        <p className={styles.secret}>
          <code>{secret}</code>
          <CopyButton label="Copy token" text={secret} />
        </p>
        <p className={styles.use}>
          Send it as <code>Authorization: Bearer …</code>, or set it for the command line in{' '}
          <code>ENGINE_SERVER_TOKEN</code>.
        </p>
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
