import { UserCog } from 'lucide-react';
import { useState } from 'react';
import type { Role } from '../../../core/contract/operation.ts';
import type { UserView } from '../../../core/contract/accounts/users.ts';
import { useChangeUser } from '../../api/queries/accounts/user-queries.ts';
import { roleLabels } from '../../format/role.ts';
import { Select } from '../../ui/controls/select.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { roleChoices } from './role-choices.ts';

/** The role of a user, editable in place. Asks for confirmation only if admins would lose their own rights. */
export function RoleChoice({ user, isOwn }: { readonly user: UserView; readonly isOwn: boolean }) {
  const [asking, setAsking] = useState<Role>();
  const change = useChangeUser('users.update');
  const choose = (role: Role): void => {
    if (role === user.role) return;
    if (isOwn) {
      change.reset();
      setAsking(role);
    } else {
      change.mutate({ userId: user.id, role }, { onError: showError });
    }
  };
  const shown = change.isPending && !isOwn ? (change.variables.role ?? user.role) : user.role;
  return (
    <>
      <Select label={`Role of ${user.username}`} value={shown} choices={roleChoices} onChange={choose} />
      {asking && (
        <FormDialog
          title="Change your own role?"
          submit={{
            label: `Change to ${roleLabels[asking].toLowerCase()}`,
            icon: UserCog,
            isDanger: true,
            isPending: change.isPending,
          }}
          error={change.error}
          onSubmit={() =>
            change.mutate({ userId: user.id, role: asking }, { onSuccess: () => setAsking(undefined) })
          }
          onClose={() => setAsking(undefined)}
        >
          <p>You will no longer be able to manage users. Only another admin can undo this.</p>
        </FormDialog>
      )}
    </>
  );
}
