import { Lock, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/session/permissions.ts';
import { useUsers } from '../../api/user-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { UserTable } from './user-table.tsx';

/** Who may use this installation, and what they may do (seed 1, Authentication). */
export function UsersPage() {
  const users = useUsers();
  const mayCreate = useMay('users.create');
  const mayList = useMay('users.list');
  const [isCreating, setCreating] = useState(false);
  if (!mayList.allowed) {
    return (
      <Page title="Users">
        <EmptyState icon={Lock} title="Only admins manage users">
          <p>{mayList.reason}</p>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Users"
      actions={
        <Button
          look="primary"
          icon={UserPlus}
          unavailable={mayCreate.reason}
          onPress={() => setCreating(true)}
        >
          New user…
        </Button>
      }
    >
      <QueryState query={users} what="The list of users">
        {({ pages }) => (
          <UserTable users={pages.flatMap((page) => page.users)} foot={<LoadMore query={users} />} />
        )}
      </QueryState>
      {isCreating && <CreateUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
