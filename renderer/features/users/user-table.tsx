import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { UserView } from '../../../core/contract/accounts/users.ts';
import { useMe } from '../../api/session/session-queries.ts';
import { roleDuties } from '../../format/role.ts';
import table from '../../ui/list/table.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { TimestampCell } from '../../ui/time/moment.tsx';
import { ChangePasswordDialog } from '../account/change-password-dialog.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { RenameUserDialog } from './rename-user-dialog.tsx';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';
import { RoleChoice } from './role-choice.tsx';
import styles from './users.module.css';

interface UserTableProps {
  readonly users: readonly UserView[];
  /** Shown after the last row. */
  readonly foot: React.ReactNode;
}

/** A pending action on a user. */
interface UserAction {
  readonly kind: 'rename' | 'password' | 'delete';
  readonly user: UserView;
}

/** The users by name, with the actions of an admin. */
export function UserTable({ users, foot }: UserTableProps) {
  const ownId = useMe().data?.user?.id;
  const [action, setAction] = useState<UserAction>();
  const columns = useMemo(() => listColumns(ownId, setAction), [ownId]);
  return (
    <>
      <VirtualTable
        label="Users"
        rows={users}
        columns={columns}
        keyOf={keyOfUser}
        nameOf={({ username }) => username}
        isRoomy
        minWidth={960}
        foot={foot}
      />
      {action && (
        <UserActionDialog
          action={action}
          isOwn={action.user.id === ownId}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}

const keyOfUser = ({ id }: UserView): string => id;

function listColumns(
  ownId: string | undefined,
  onAction: (options: UserAction) => void,
): readonly Column<UserView>[] {
  return [
    {
      id: 'name',
      header: 'Username',
      width: '21%',
      cell: ({ id, username }) => (
        <span className={styles.user}>
          <span className={styles.initial} aria-hidden="true">
            {[...username][0]?.toUpperCase()}
          </span>
          <span className={styles.name} dir="auto">
            {username}
          </span>
          {id === ownId && <span className={table.faint}>(you)</span>}
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      width: '150px',
      cell: (user) => (
        <span className={styles.role}>
          <RoleChoice user={user} isOwn={user.id === ownId} />
        </span>
      ),
    },
    {
      id: 'rights',
      header: 'Permissions',
      cell: ({ role }) => (
        <span className={styles.rights} title={roleDuties[role]}>
          {roleDuties[role]}
        </span>
      ),
    },
    {
      id: 'created',
      header: 'Created',
      width: '128px',
      cell: ({ createdAt }) => <TimestampCell iso={createdAt} />,
    },
    {
      id: 'changed',
      header: 'Updated',
      width: '128px',
      cell: ({ updatedAt }) => <TimestampCell iso={updatedAt} />,
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: '136px',
      isNumber: true,
      cell: (user) => <RowActions user={user} isOwn={user.id === ownId} onAction={onAction} />,
    },
  ];
}

interface RowActionsProps {
  readonly user: UserView;
  readonly isOwn: boolean;
  readonly onAction: (options: UserAction) => void;
}

function RowActions({ user, isOwn, onAction }: RowActionsProps) {
  const { username } = user;
  return (
    <span className={styles.actions}>
      <RowButton
        icon={Pencil}
        label={`Rename ${username}`}
        onPress={() => onAction({ kind: 'rename', user })}
      />
      <RowButton
        icon={KeyRound}
        label={isOwn ? 'Change your password' : `Reset password of ${username}`}
        onPress={() => onAction({ kind: 'password', user })}
      />
      <RowButton
        icon={Trash2}
        label={`Delete ${username}`}
        unavailable={isOwn ? 'You cannot delete your own account.' : undefined}
        onPress={() => onAction({ kind: 'delete', user })}
      />
    </span>
  );
}

interface UserActionDialogProps {
  readonly action: UserAction;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function UserActionDialog({ action: { kind, user }, isOwn, onClose }: UserActionDialogProps) {
  switch (kind) {
    case 'rename':
      return <RenameUserDialog user={user} onClose={onClose} />;
    case 'password':
      return isOwn ? (
        <ChangePasswordDialog onClose={onClose} />
      ) : (
        <ResetPasswordDialog user={user} onClose={onClose} />
      );
    case 'delete':
      return <DeleteUserDialog user={user} onClose={onClose} />;
  }
}
