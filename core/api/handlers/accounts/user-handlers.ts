import type { Auth } from '../../../auth/auth.ts';
import { normalizeUsername } from '../../../auth/users/check-user.ts';
import type { User } from '../../../auth/users/users.ts';
import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { UserView } from '../../../contract/accounts/users.ts';
import type { Caller } from '../../engine-host.ts';
import type { EngineContext } from '../../engine-context.ts';
import { parseTextCursor, toTextCursor } from '../cursor.ts';
import type { HandlersFor } from '../handlers.ts';
import { emitTokenRevoked } from './emit-token-revoked.ts';

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
export const toUserView = ({ id, username, role, createdAt, updatedAt }: User): UserView => ({
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
