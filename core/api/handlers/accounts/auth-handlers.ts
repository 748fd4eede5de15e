import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { LoginResult } from '../../../auth/auth.ts';
import type { LoginView } from '../../../contract/accounts/auth.ts';
import type { Caller } from '../../engine-host.ts';
import type { HandlersFor } from '../handlers.ts';
import { toUserView } from './user-handlers.ts';

type AuthOperation = 'auth.info' | 'auth.login' | 'auth.logout' | 'auth.me' | 'auth.changePassword';

/** Operations on the caller itself. */
export const authHandlers: HandlersFor<AuthOperation> = {
  'auth.info': async (_input, context, { via, credential }) => {
    const auth = await context.auth();
    return {
      mode: auth.mode,
      required: auth.isRequired,
      logins: auth.logins(),
      setupNeeded: auth.needsSetup,
      signedIn: !auth.isRequired || via !== 'http' || credential?.kind === 'session',
    };
  },
  'auth.login': async ({ username, password }, context, caller) => {
    const auth = await context.auth();
    return toLoginView(await auth.login(username, password, caller.address));
  },
  'auth.logout': async ({ everywhere = false }, context, { credential, user }) => {
    const auth = await context.auth();
    assertNotToken(credential, 'end sessions');
    if (everywhere && user !== undefined) auth.endSessionsOf(user.id);
    else if (credential?.kind === 'session')
      auth.endSession({ id: credential.id, expiresAt: credential.expiresAt ?? Infinity });
    else return { loggedOut: false };
    return { loggedOut: true };
  },
  'auth.me': async (_input, context, { name, role = 'admin', user, credential }) => {
    const auth = await context.auth();
    const stored = user && auth.users.find(user.id);
    const expiresAt = credential?.expiresAt;
    return {
      name,
      role,
      via: credential?.kind ?? 'machine',
      ...(stored ? { user: toUserView(stored) } : {}),
      ...(expiresAt === undefined ? {} : { expiresAt: toIso(expiresAt) }),
    };
  },
  'auth.changePassword': async ({ currentPassword, newPassword }, context, caller) => {
    const auth = await context.auth();
    assertNotToken(caller.credential, 'change a password');
    const { user } = caller;
    if (user === undefined || auth.users.find(user.id) === undefined) {
      throw new AppError('forbidden', `${caller.name} has no password on this server.`);
    }
    const passwords = { current: currentPassword, next: newPassword };
    return toLoginView(await auth.changePassword(user.id, passwords, caller.address));
  },
};

/**
 * Rejects an operation for API tokens: a leaked token must not be able to outlive its revocation.
 * @throws `forbidden`
 */
export function assertNotToken(credential: Caller['credential'], what: string): void {
  if (credential?.kind !== 'token') return;
  throw new AppError('forbidden', `An API token cannot ${what}. Log in with a username and password.`);
}

const toLoginView = ({ token, expiresAt, user }: LoginResult): LoginView => ({
  token,
  expiresAt: toIso(expiresAt),
  user: toUserView(user),
});
