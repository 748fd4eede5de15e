import { Check } from 'lucide-react';
import { useState } from 'react';
import { useChangePassword } from '../../api/session/session-queries.ts';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { isLongEnough, passwordRule } from './password-rule.ts';

/** Changes the user's own password; asks for the current one. */
export function ChangePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useChangePassword();
  const submit = (): void =>
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          showToast('info', 'Password changed. Other sessions are signed out.');
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Change password"
      submit={{
        label: 'Change password',
        icon: Check,
        isPending: change.isPending,
        isBlocked: currentPassword === '' || !isLongEnough(newPassword),
      }}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordField
        label="Current password"
        name="currentPassword"
        kind="current"
        value={currentPassword}
        onChange={setCurrent}
        autoFocus
      />
      <PasswordField
        label="New password"
        name="newPassword"
        kind="new"
        value={newPassword}
        onChange={setNew}
        description={passwordRule}
      />
    </FormDialog>
  );
}
