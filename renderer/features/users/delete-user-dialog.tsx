import { Trash2 } from 'lucide-react';
import type { UserView } from '../../../core/contract/accounts/users.ts';
import { useChangeUser } from '../../api/queries/accounts/user-queries.ts';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';

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
