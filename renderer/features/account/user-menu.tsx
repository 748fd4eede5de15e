import { Check, ChevronsUpDown, LogOut, RectangleEllipsis } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocation } from 'wouter';
import { toAppError } from '../../../core/base/errors.ts';
import type { AuthMode } from '../../../core/contract/accounts.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useChangePassword, useAuthInfo, useMe, useSignOut } from '../../api/session-queries.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { CurrentUser } from '../../api/session.ts';
import { paths } from '../../navigation/address.ts';
import { roleLabels } from '../../format/labels.ts';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import styles from './account.module.css';

/** Duplicated from the contract, whose schemas the window does not load. */
export const minLength = 8;

/** The password rule, for display. */
export const passwordRule = `At least ${minLength} characters.`;

export const isLongEnough = (password: string): boolean => password.length >= minLength;

/** Changes the user's own password; asks for the current one. */
export function ChangePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useChangePassword();
  const submit = (): void =>
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          showToast('info', 'Password changed. Other sessions are signed out.');
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Change password"
      submit={{
        label: 'Change password',
        icon: Check,
        isPending: change.isPending,
        isBlocked: currentPassword === '' || !isLongEnough(newPassword),
      }}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordField
        label="Current password"
        name="currentPassword"
        kind="current"
        value={currentPassword}
        onChange={setCurrent}
        autoFocus
      />
      <PasswordField
        label="New password"
        name="newPassword"
        kind="new"
        value={newPassword}
        onChange={setNew}
        description={passwordRule}
      />
    </FormDialog>
  );
}

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
 * After signing in through an identity provider signs out there too; otherwise the provider would sign them
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
