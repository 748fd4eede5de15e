import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { UserView } from '../../../core/contract/users.ts';
import { useMe } from '../../api/session/session-queries.ts';
import { roleDuties } from '../../format/role.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import table from '../../ui/layout/table.module.css';
import { Day } from '../../ui/time/day.tsx';
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

/** The users by name, with what an admin can do about each. */
export function UserTable({ users, foot }: UserTableProps) {
  const ownId = useMe().data?.user?.id;
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">User name</th>
            <th scope="col">Role</th>
            <th scope="col">Rights</th>
            <th scope="col">Created</th>
            <th scope="col">Changed</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} isOwn={user.id === ownId} />
          ))}
        </tbody>
      </table>
      {foot}
    </div>
  );
}

function UserRow({ user, isOwn }: { readonly user: UserView; readonly isOwn: boolean }) {
  return (
    <tr>
      <td>
        <span className={styles.name}>{user.username}</span>
        {isOwn && <span className={table.faint}> (you)</span>}
      </td>
      <td>
        <RoleChoice user={user} isOwn={isOwn} />
      </td>
      <td className={table.muted}>{roleDuties[user.role]}</td>
      <td className={`${table.muted} ${styles.day}`}>
        <Day iso={user.createdAt} />
      </td>
      <td className={`${table.muted} ${styles.day}`}>
        <Day iso={user.updatedAt} />
      </td>
      <td className={table.number}>
        <RowActions user={user} isOwn={isOwn} />
      </td>
    </tr>
  );
}

function RowActions({ user, isOwn }: { readonly user: UserView; readonly isOwn: boolean }) {
  const [open, setOpen] = useState<'rename' | 'password' | 'delete'>();
  const close = (): void => setOpen(undefined);
  return (
    <span className={styles.actions}>
      <IconButton
        size="small"
        icon={Pencil}
        label={`Rename ${user.username}`}
        onPress={() => setOpen('rename')}
      />
      <IconButton
        size="small"
        icon={KeyRound}
        label={isOwn ? 'Change your password' : `Reset the password of ${user.username}`}
        onPress={() => setOpen('password')}
      />
      <IconButton
        size="small"
        icon={Trash2}
        label={`Delete ${user.username}`}
        unavailable={isOwn ? 'You cannot delete yourself; another admin can.' : undefined}
        onPress={() => setOpen('delete')}
      />
      {open === 'rename' && <RenameUserDialog user={user} onClose={close} />}
      {open === 'password' && !isOwn && <ResetPasswordDialog user={user} onClose={close} />}
      {open === 'password' && isOwn && <ChangePasswordDialog onClose={close} />}
      {open === 'delete' && <DeleteUserDialog user={user} onClose={close} />}
    </span>
  );
}
