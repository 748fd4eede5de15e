import { UserPlus, Trash2, Pencil, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { roles, type Role } from '../../../core/contract/operation.ts';
import type { UserView } from '../../../core/contract/accounts.ts';
import { roleLabels, roleDescriptions } from '../../format/labels.ts';
import { useChangeUser } from '../../api/session-queries.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { isLongEnough, passwordRule } from '../account/user-menu.tsx';

/** The rule for user names, for dialogs; the engine validates. */
const usernameRule = 'No spaces or colons. Not case-sensitive.';

/** All roles, from least to most permissions. */
export const roleChoices = roles.map((value) => ({ value, label: roleLabels[value] }));

/** Adds a user. If the engine rejects the request, the dialog says why. */
export function CreateUserDialog({ onClose }: { readonly onClose: () => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const create = useChangeUser('users.create');
  return (
    <FormDialog
      title="New user"
      submit={{
        label: 'Create user',
        icon: UserPlus,
        isPending: create.isPending,
        isBlocked: username.trim() === '' || !isLongEnough(password),
      }}
      error={create.error}
      onSubmit={() => create.mutate({ username: username.trim(), password, role }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Username"
        name="username"
        value={username}
        onChange={setUsername}
        autoFocus
        description={usernameRule}
      />
      <PasswordField
        label="Password"
        name="password"
        kind="new"
        value={password}
        onChange={setPassword}
        description={`${passwordRule} The user can change it after signing in.`}
      />
      <Select
        label="Role"
        isLabelled
        value={role}
        choices={roleChoices}
        onChange={setRole}
        description={roleDescriptions[role]}
      />
    </FormDialog>
  );
}

interface DeleteUserDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** Confirms deleting a user. */
export function DeleteUserDialog({ user, onClose }: DeleteUserDialogProps) {
  const remove = useChangeUser('users.delete');
  return (
    <FormDialog
      title={`Delete ${user.username}?`}
      submit={{ label: 'Delete user', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ userId: user.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Sessions and API tokens of {user.username} are revoked immediately. Workflows and runs are kept.</p>
    </FormDialog>
  );
}

interface RenameUserDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** Renames a user. Signing in requires the new name from then on. */
export function RenameUserDialog({ user, onClose }: RenameUserDialogProps) {
  const [typed, setTyped] = useState(user.username);
  const rename = useChangeUser('users.update');
  const username = typed.trim();
  return (
    <FormDialog
      title={`Rename ${user.username}`}
      submit={{
        label: 'Rename user',
        icon: Pencil,
        isPending: rename.isPending,
        isBlocked: username === '' || username === user.username,
      }}
      error={rename.error}
      onSubmit={() => rename.mutate({ userId: user.id, username }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Username"
        name="username"
        value={typed}
        onChange={setTyped}
        autoFocus
        description={usernameRule}
      />
      <p>Use the new name at the next sign-in. Nothing else changes.</p>
    </FormDialog>
  );
}

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
          showToast('info', `Password reset for ${user.username}. All sessions are signed out.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Reset password for ${user.username}`}
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
