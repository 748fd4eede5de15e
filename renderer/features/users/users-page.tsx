import { UserCog, KeyRound, Pencil, Trash2, Lock, UserPlus } from 'lucide-react';
import { useState, useMemo } from 'react';
import type { Role } from '../../../core/contract/operation.ts';
import type { UserView } from '../../../core/contract/accounts.ts';
import { useChangeUser, useUsers, useMe, useCan } from '../../api/session-queries.ts';
import { roleLabels, roleDescriptions } from '../../format/labels.ts';
import { Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showError } from '../../ui/toasts.tsx';
import table from '../../ui/list/list.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { ChangePasswordDialog } from '../account/user-menu.tsx';
import {
  roleChoices,
  DeleteUserDialog,
  RenameUserDialog,
  ResetPasswordDialog,
  CreateUserDialog,
} from './user-dialogs.tsx';
import styles from './users.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

/** The role of a user, editable in place. Asks for confirmation only if admins would lose their own rights. */
function RoleChoice({ user, isSelf }: { readonly user: UserView; readonly isSelf: boolean }) {
  const [asking, setAsking] = useState<Role>();
  const change = useChangeUser('users.update');
  const choose = (role: Role): void => {
    if (role === user.role) return;
    if (isSelf) {
      change.reset();
      setAsking(role);
    } else {
      change.mutate({ userId: user.id, role }, { onError: showError });
    }
  };
  const shown = change.isPending && !isSelf ? (change.variables.role ?? user.role) : user.role;
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
function UserTable({ users, foot }: UserTableProps) {
  const currentUserId = useMe().data?.user?.id;
  const [action, setAction] = useState<UserAction>();
  const columns = useMemo(() => listColumns(currentUserId, setAction), [currentUserId]);
  return (
    <>
      <VirtualTable
        label="Users"
        rows={users}
        columns={columns}
        getKey={getUserKey}
        getName={({ username }) => username}
        isRoomy
        minWidth={960}
        foot={foot}
      />
      {action && (
        <UserActionDialog
          action={action}
          isSelf={action.user.id === currentUserId}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}

const getUserKey = ({ id }: UserView): string => id;

function listColumns(
  currentUserId: string | undefined,
  onAction: (options: UserAction) => void,
): readonly Column<UserView>[] {
  return [
    {
      id: 'name',
      header: 'Username',
      width: '21%',
      cell: ({ id, username }) => <Username username={username} isSelf={id === currentUserId} />,
    },
    {
      id: 'role',
      header: 'Role',
      width: '150px',
      cell: (user) => (
        <span className={styles.role}>
          <RoleChoice user={user} isSelf={user.id === currentUserId} />
        </span>
      ),
    },
    {
      id: 'rights',
      header: 'Permissions',
      cell: ({ role }) => (
        <span className={styles.rights} title={roleDescriptions[role]}>
          {roleDescriptions[role]}
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
      cell: (user) => <RowActions user={user} isSelf={user.id === currentUserId} onAction={onAction} />,
    },
  ];
}

function Username({ username, isSelf }: { readonly username: string; readonly isSelf: boolean }) {
  return (
    <span className={styles.user}>
      <span className={styles.initial} aria-hidden="true">
        {[...username][0]?.toUpperCase()}
      </span>
      <span className={styles.name} dir="auto">
        {username}
      </span>
      {isSelf && <span className={table.faint}>(you)</span>}
    </span>
  );
}

interface RowActionsProps {
  readonly user: UserView;
  readonly isSelf: boolean;
  readonly onAction: (options: UserAction) => void;
}

function RowActions({ user, isSelf, onAction }: RowActionsProps) {
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
        label={isSelf ? 'Change your password' : `Reset password for ${username}`}
        onPress={() => onAction({ kind: 'password', user })}
      />
      <RowButton
        icon={Trash2}
        label={`Delete ${username}`}
        unavailable={isSelf ? 'You cannot delete your own account.' : undefined}
        onPress={() => onAction({ kind: 'delete', user })}
      />
    </span>
  );
}

interface UserActionDialogProps {
  readonly action: UserAction;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}

function UserActionDialog({ action: { kind, user }, isSelf, onClose }: UserActionDialogProps) {
  switch (kind) {
    case 'rename':
      return <RenameUserDialog user={user} onClose={onClose} />;
    case 'password':
      return isSelf ? (
        <ChangePasswordDialog onClose={onClose} />
      ) : (
        <ResetPasswordDialog user={user} onClose={onClose} />
      );
    case 'delete':
      return <DeleteUserDialog user={user} onClose={onClose} />;
  }
}

/** The users of this installation and their roles. */
export function UsersPage() {
  const users = useUsers();
  const mayCreate = useCan('users.create');
  const mayList = useCan('users.list');
  const [isCreating, setCreating] = useState(false);
  const all = useMemo(() => users.data?.pages.flatMap((page) => page.users) ?? [], [users.data]);
  if (!mayList.allowed) {
    return (
      <Page title={getPageLabel(paths.users)}>
        <EmptyState icon={Lock} title="Only admins can manage users">
          <p>{mayList.reason}</p>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={getPageLabel(paths.users)}
      beside={users.data && <span className={styles.count}>{all.length}</span>}
      below={<p className={styles.hint}>Manage users and their roles.</p>}
      actions={
        <Button
          variant="primary"
          icon={UserPlus}
          unavailable={mayCreate.reason}
          onPress={() => setCreating(true)}
        >
          New user…
        </Button>
      }
    >
      <QueryState query={users} what="The users">
        {() => <UserTable users={all} foot={<LoadMore query={users} />} />}
      </QueryState>
      {isCreating && <CreateUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
