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

/** Gives a user a new password without the old one. */
export function ResetPasswordDialog({ user, onClose }: ResetPasswordDialogProps) {
  const [newPassword, setPassword] = useState('');
  const reset = useChangeUser('users.resetPassword');
  const submit = (): void =>
    reset.mutate(
      { userId: user.id, newPassword },
      {
        onSuccess: () => {
          showToast('info', `${user.username} has a new password and is signed out everywhere.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Reset the password of ${user.username}`}
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
        description={`${passwordRule} All sessions of the user end at once; API tokens stay.`}
        autoFocus
      />
    </FormDialog>
  );
}
