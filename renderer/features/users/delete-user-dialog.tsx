import { Trash2 } from 'lucide-react';
import type { UserView } from '../../../core/contract/accounts/users.ts';
import { useChangeUser } from '../../api/queries/accounts/user-queries.ts';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';

interface DeleteUserDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** Asks whether a user is to be removed. */
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
      <p>
        The sessions and the API tokens of {user.username} end at once. Workflows and runs stay as they are.
      </p>
    </FormDialog>
  );
}
