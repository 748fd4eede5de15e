import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { LoginView, UserView, TokenView } from '../../contract/accounts.ts';
import { includesRole } from '../../contract/operation.ts';
import type { LoginResult, Auth } from '../auth/auth.ts';
import type { Caller } from '../engine-api.ts';
import { normalizeUsername } from '../auth/identity.ts';
import type { User } from '../auth/users.ts';
import type { EngineContext } from '../engine-context.ts';
import type { ApiToken } from '../auth/api-tokens.ts';
import { type HandlersFor, parseTextCursor, toTextCursor } from './handlers.ts';

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
    if (everywhere && user !== undefined) auth.endUserSessions(user.id);
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
function assertNotToken(credential: Caller['credential'], what: string): void {
  if (credential?.kind !== 'token') return;
  throw new AppError('forbidden', `An API token cannot ${what}. Sign in with a username and password.`);
}

const toLoginView = ({ token, expiresAt, user }: LoginResult): LoginView => ({
  token,
  expiresAt: toIso(expiresAt),
  user: toUserView(user),
});

type UserOperation =
  | 'users.list'
  | 'users.create'
  | 'users.get'
  | 'users.update'
  | 'users.delete'
  | 'users.resetPassword';

const defaultPageSize = 50;

/** Operations on the users of the user file. */
export const userHandlers: HandlersFor<UserOperation> = {
  'users.list': async ({ limit = defaultPageSize, cursor }, context, caller) => {
    const { users } = await openUsers(context, caller);
    const [after = ''] = parseTextCursor(cursor, 1) ?? [];
    const remaining = users.list().filter(({ username }) => normalizeUsername(username) > after);
    const page = remaining.slice(0, limit);
    const last = page.at(-1);
    const isMore = remaining.length > page.length && last !== undefined;
    return {
      users: page.map(toUserView),
      ...(isMore ? { nextCursor: toTextCursor([normalizeUsername(last.username)]) } : {}),
    };
  },
  'users.create': async (input, context, caller) => {
    const { users } = await openUsers(context, caller);
    return toUserView(await users.create(input));
  },
  'users.get': async ({ userId }, context, caller) => {
    const { users } = await openUsers(context, caller);
    return toUserView(users.get(userId));
  },
  'users.update': async ({ userId, ...change }, context, caller) => {
    const { users } = await openUsers(context, caller);
    return toUserView(users.update(userId, change));
  },
  'users.delete': async ({ userId }, context, caller) => {
    const auth = await openUsers(context, caller);
    if (caller.user?.id === userId) {
      throw new AppError('forbidden', 'You cannot delete your own user. Ask another admin.');
    }
    const { user, tokens } = auth.deleteUser(userId);
    for (const token of tokens) await emitTokenRevoked(context, token, caller);
    return toUserView(user);
  },
  'users.resetPassword': async ({ userId, newPassword }, context, caller) => {
    const { users } = await openUsers(context, caller);
    return toUserView(await users.setPassword(userId, newPassword));
  },
};

/** Converts a user to its view. */
const toUserView = ({ id, username, role, createdAt, updatedAt }: User): UserView => ({
  id,
  username,
  role,
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
});

/**
 * Over HTTP, only authenticated users manage users; the local user is always allowed.
 * @throws `forbidden`
 */
async function openUsers({ auth: open }: EngineContext, { via }: Caller): Promise<Auth> {
  const auth = await open();
  if (via !== 'http' || auth.mode === 'builtin') return auth;
  throw new AppError(
    'forbidden',
    `This server does not use built-in users (AUTH_MODE is ${auth.mode}). Manage users on the engine host with "engine users", or set AUTH_MODE=builtin.`,
  );
}

/** Operations on API tokens: users manage their own, admins all of them. */
export const tokenHandlers: HandlersFor<'tokens.list' | 'tokens.create' | 'tokens.delete'> = {
  'tokens.list': async ({ limit = defaultPageSize, cursor }, context, caller) => {
    const { tokens } = await openTokens(context, caller);
    const after = parseTextCursor(cursor, 1)?.[0];
    const remaining = tokens
      .list()
      .filter(isVisibleTo(caller))
      .sort((a, b) => (getSortKey(a) < getSortKey(b) ? 1 : -1))
      .filter((token) => after === undefined || getSortKey(token) < after);
    const page = remaining.slice(0, limit);
    const last = page.at(-1);
    const isMore = remaining.length > page.length && last !== undefined;
    return {
      tokens: page.map(toTokenView),
      ...(isMore ? { nextCursor: toTextCursor([getSortKey(last)]) } : {}),
    };
  },
  'tokens.create': async ({ name, role, expiresInDays }, context, caller) => {
    const { tokens } = await openTokens(context, caller);
    assertNotToken(caller.credential, 'create other tokens');
    if (caller.role !== undefined && !includesRole(caller.role, role)) {
      throw new AppError(
        'forbidden',
        `${caller.name} has the role ${caller.role} and cannot create a token with the role ${role}.`,
        {
          details: { field: 'role' },
        },
      );
    }
    const { token, secret } = tokens.create({ name, role, expiresInDays, owner: caller.user });
    return { token: toTokenView(token), secret };
  },
  'tokens.delete': async ({ tokenId }, context, caller) => {
    const { tokens } = await openTokens(context, caller);
    // A leaked token may delete itself, but not the others.
    if (!isAdmin(caller) && caller.credential?.id !== tokenId)
      assertNotToken(caller.credential, 'revoke other tokens');
    const token = tokens.delete(tokenId, isVisibleTo(caller));
    await emitTokenRevoked(context, token, caller);
    return toTokenView(token);
  },
};

const isAdmin = ({ role }: Caller): boolean => role === undefined || role === 'admin';

function isVisibleTo(caller: Caller): (token: ApiToken) => boolean {
  if (isAdmin(caller)) return () => true;
  return ({ id, owner }) =>
    owner === undefined ? caller.credential?.id === id : owner.id === caller.user?.id;
}

/** Increases with the creation time; unique per token. */
const getSortKey = ({ createdAt, id }: ApiToken): string => `${String(createdAt).padStart(16, '0')} ${id}`;

function toTokenView({ id, name, role, owner, hint, createdAt, expiresAt, lastUsedAt }: ApiToken): TokenView {
  return {
    id,
    name,
    role,
    hint,
    createdAt: toIso(createdAt),
    ...(owner === undefined ? {} : { owner: owner.username }),
    ...(expiresAt === undefined ? {} : { expiresAt: toIso(expiresAt) }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: toIso(lastUsedAt) }),
  };
}

/**
 * Prevents the creation of tokens on a server without authentication, because they would be valid once it is enabled.
 * @throws `forbidden`
 */
async function openTokens({ auth: open }: EngineContext, { via }: Caller): Promise<Auth> {
  const auth = await open();
  if (via !== 'http' || auth.isRequired) return auth;
  throw new AppError(
    'forbidden',
    'Authentication is off (AUTH_MODE is none), so API tokens are not available. Create tokens on the engine host with "engine tokens", or set AUTH_MODE=builtin.',
  );
}

/** Notifies webhooks of a deleted token (`app_authorization`), because apps may have used it. */
async function emitTokenRevoked(
  { webhooks }: EngineContext,
  { owner }: ApiToken,
  { user }: Caller,
): Promise<void> {
  const payload = { action: 'revoked' };
  await (
    await webhooks()
  ).emit({ event: 'app_authorization', payload, by: owner?.username ?? user?.username });
}
