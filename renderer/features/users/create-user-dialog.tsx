import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Role } from '../../../core/contract/operation.ts';
import { useChangeUser } from '../../api/queries/accounts/user-queries.ts';
import { roleDuties } from '../../format/role.ts';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { isLongEnough, passwordRule } from '../account/password-rule.ts';
import { roleChoices } from './role-choices.ts';
import { usernameRule } from './username-rule.ts';

/** Adds a user. If the engine rejects the request, the dialog shows the reason. */
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
        description={roleDuties[role]}
      />
    </FormDialog>
  );
}
