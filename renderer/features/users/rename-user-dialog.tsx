import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { UserView } from '../../../core/contract/accounts/users.ts';
import { useChangeUser } from '../../api/queries/accounts/user-queries.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { usernameRule } from './username-rule.ts';

interface RenameUserDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** Renames a user, who signs in with the new name from then on. */
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
