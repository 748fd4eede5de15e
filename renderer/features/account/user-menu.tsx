import { ChevronsUpDown, LogOut, RectangleEllipsis } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocation } from 'wouter';
import { toAppError } from '../../../core/base/errors.ts';
import type { AuthMode } from '../../../core/contract/accounts/auth.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { CurrentUser } from '../../api/session/session.ts';
import { useAuthInfo, useMe, useSignOut } from '../../api/session/session-queries.ts';
import { paths } from '../../app/paths.ts';
import { roleLabels } from '../../format/role.ts';
import { ActionMenu, type MenuAction } from '../../ui/overlay/menu.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import styles from './account.module.css';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

/** Menu of the signed-in user; renders nothing when sign-in is not required. */
export function UserMenu() {
  const me = useMe().data;
  const info = useAuthInfo().data;
  if (!me || !info || info.mode === 'none') return null;
  return <OpenUserMenu me={me} info={info} />;
}

type Info = OperationOutput<'auth.info'>;

function OpenUserMenu({ me, info }: { readonly me: CurrentUser; readonly info: Info }) {
  const [isChanging, setChanging] = useState(false);
  const [, navigate] = useLocation();
  // The next user starts on the first page, not on the previous user's page.
  const signOut = useSignOut(() => navigate(paths.dashboard));
  const leave = (): void =>
    signOut.mutate(undefined, {
      onError: (error) => showToast('error', `Could not sign out: ${toAppError(error).message}`),
    });
  const all: Readonly<Record<Entry, MenuAction>> = {
    password: {
      id: 'password',
      label: 'Change password…',
      icon: RectangleEllipsis,
      run: () => setChanging(true),
    },
    leave: { id: 'leave', label: 'Sign out', icon: LogOut, ...signOutWith(info, leave) },
  };
  const entries = listEntries(me, info.mode);
  if (entries.length === 0)
    return (
      <div className={styles.user} data-account>
        <UserLabel me={me} />
      </div>
    );
  return (
    <>
      <ActionMenu label="Account" placement="top start" actions={entries.map((entry) => all[entry])}>
        <Button className={styles.user} data-account>
          <UserLabel me={me} /> <span className="visually-hidden">account menu</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </Button>
      </ActionMenu>
      {isChanging && <ChangePasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}

function UserLabel({ me }: { readonly me: CurrentUser }) {
  return (
    <>
      <span className={styles.initial} aria-hidden="true">
        {[...me.name][0]?.toUpperCase()}
      </span>
      <span className={styles.who}>
        <span className={styles.name} dir="auto">
          {me.name}
        </span>{' '}
        <span className={styles.role}>{roleLabels[me.role]}</span>
      </span>
    </>
  );
}

/**
 * A user who signed in through an identity provider signs out there too; otherwise the provider would sign them
 * in again without asking.
 */
function signOutWith({ logins }: Info, leave: () => void): Pick<MenuAction, 'run' | 'href'> {
  const href = logins.find(({ kind }) => kind === 'oidc')?.logoutPath;
  return href === undefined ? { run: leave } : { href };
}

type Entry = 'password' | 'leave';

/** Only `builtin` mode has its own users; only sessions can sign out. */
function listEntries({ via, user }: CurrentUser, mode: AuthMode): Entry[] {
  const entries: Entry[] = [];
  if (mode === 'builtin' && via === 'session' && user !== undefined) entries.push('password');
  if (via === 'session' || via === 'oidc') entries.push('leave');
  return entries;
}
