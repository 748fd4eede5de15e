import type { Auth } from '../../../auth/auth.ts';
import type { ApiToken } from '../../../auth/tokens/api-tokens.ts';
import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { includesRole } from '../../../contract/operation.ts';
import type { TokenView } from '../../../contract/accounts/tokens.ts';
import type { Caller } from '../../engine-host.ts';
import type { EngineContext } from '../../engine-context.ts';
import { assertNotToken } from './auth-handlers.ts';
import { parseTextCursor, toTextCursor } from '../cursor.ts';
import type { HandlersFor } from '../handlers.ts';
import { emitTokenRevoked } from './emit-token-revoked.ts';

const defaultPageSize = 50;

/** Operations on API tokens: users manage their own, admins all of them. */
export const tokenHandlers: HandlersFor<'tokens.list' | 'tokens.create' | 'tokens.delete'> = {
  'tokens.list': async ({ limit = defaultPageSize, cursor }, context, caller) => {
    const { tokens } = await openTokens(context, caller);
    const after = parseTextCursor(cursor, 1)?.[0];
    const remaining = tokens
      .list()
      .filter(isVisibleTo(caller))
      .sort((left, right) => (sortKeyOf(left) < sortKeyOf(right) ? 1 : -1))
      .filter((token) => after === undefined || sortKeyOf(token) < after);
    const page = remaining.slice(0, limit);
    const last = page.at(-1);
    const isMore = remaining.length > page.length && last !== undefined;
    return {
      tokens: page.map(toTokenView),
      ...(isMore ? { nextCursor: toTextCursor([sortKeyOf(last)]) } : {}),
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
const sortKeyOf = ({ createdAt, id }: ApiToken): string => `${String(createdAt).padStart(16, '0')} ${id}`;

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
