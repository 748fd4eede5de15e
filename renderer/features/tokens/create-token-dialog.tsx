import { Plus } from 'lucide-react';
import { useState } from 'react';
import { includesRole, roles, type Role } from '../../../core/contract/operation.ts';
import { useMe } from '../../api/session/session-queries.ts';
import { useChangeToken } from '../../api/queries/accounts/token-queries.ts';
import { roleDuties, roleLabels } from '../../format/role.ts';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
] as const;
type Lifetime = (typeof lifetimes)[number]['value'];

/** Creates a token, then shows its secret. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const held = useMe().data?.role ?? 'viewer';
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState<Lifetime>('90');
  const create = useChangeToken('tokens.create');
  if (create.data) return <NewSecretDialog created={create.data} onClose={onClose} />;
  const submit = (): void =>
    create.mutate({ name: name.trim(), role, ...(days !== '' && { expiresInDays: Number(days) }) });
  return (
    <FormDialog
      title="New API token"
      submit={{
        label: 'Create token',
        icon: Plus,
        isPending: create.isPending,
        isBlocked: name.trim() === '',
      }}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        autoFocus
        description="Purpose of this token"
      />
      <Select
        label="Role"
        isLabelled
        value={role}
        choices={roles
          .filter((each) => includesRole(held, each))
          .map((value) => ({ value, label: roleLabels[value] }))}
        onChange={setRole}
        description={roleDuties[role]}
      />
      <Select label="Expires" isLabelled value={days} choices={lifetimes} onChange={setDays} />
    </FormDialog>
  );
}
