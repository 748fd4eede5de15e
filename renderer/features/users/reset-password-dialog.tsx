import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { UserView } from '../../../core/contract/accounts/users.ts';
import { useChangeUser } from '../../api/queries/accounts/user-queries.ts';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { isLongEnough, passwordRule } from '../account/password-rule.ts';

interface ResetPasswordDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** Sets a new password for a user, without the current one. */
export function ResetPasswordDialog({ user, onClose }: ResetPasswordDialogProps) {
  const [newPassword, setPassword] = useState('');
  const reset = useChangeUser('users.resetPassword');
  const submit = (): void =>
    reset.mutate(
      { userId: user.id, newPassword },
      {
        onSuccess: () => {
          showToast('info', `Password of ${user.username} reset. All sessions are signed out.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Reset password of ${user.username}`}
      submit={{
        label: 'Reset password',
        icon: KeyRound,
        isPending: reset.isPending,
        isBlocked: !isLongEnough(newPassword),
      }}
      error={reset.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordField
        label="New password"
        name="newPassword"
        kind="new"
        value={newPassword}
        onChange={setPassword}
        description={`${passwordRule} All sessions are signed out. API tokens stay valid.`}
        autoFocus
      />
    </FormDialog>
  );
}
