import { Lock, UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCan } from '../../api/session/permissions.ts';
import { useUsers } from '../../api/queries/accounts/user-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { UserTable } from './user-table.tsx';
import styles from './users.module.css';

/** The users of this installation and their roles. */
export function UsersPage() {
  const users = useUsers();
  const mayCreate = useCan('users.create');
  const mayList = useCan('users.list');
  const [isCreating, setCreating] = useState(false);
  const all = useMemo(() => users.data?.pages.flatMap((page) => page.users) ?? [], [users.data]);
  if (!mayList.allowed) {
    return (
      <Page title="Users">
        <EmptyState icon={Lock} title="Only admins can manage users">
          <p>{mayList.reason}</p>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Users"
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
