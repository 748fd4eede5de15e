import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Timestamp } from '../runs/run-views.ts';
import { RoleView } from './users.ts';

/** An API token, without its secret, which nobody can show again. */
export const TokenView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** What it may do at most; never more than its owner. */
  role: RoleView,
  /** Name of the user whose token it is; absent for one that was made on the machine itself. */
  owner: Type.Optional(Type.String()),
  /** The first characters, to tell tokens apart: `swt_3fQ9`. */
  hint: Type.String(),
  createdAt: Timestamp,
  /** Absent for a token without end. */
  expiresAt: Type.Optional(Timestamp),
  /** To about a minute; absent while it has not been used. */
  lastUsedAt: Type.Optional(Timestamp),
});
export type TokenView = Static<typeof TokenView>;

export const tokenOperations = {
  'tokens.list': defineOperation({
    summary: 'List API tokens, newest first (admins see all tokens, other users their own)',
    method: 'GET',
    path: '/tokens',
    input: Type.Object({
      /** 50 when absent. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the page before. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ tokens: Type.Array(TokenView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'viewer',
  }),
  'tokens.create': defineOperation({
    summary: 'Create an API token (the secret is returned only once)',
    method: 'POST',
    path: '/tokens',
    status: 201,
    input: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 64 }),
      /** Not above the caller's. */
      role: RoleView,
      /** For ever when absent. */
      expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    }),
    output: Type.Object({
      token: TokenView,
      /** `swt_…`, for `Authorization: Bearer`. */
      secret: Type.String(),
    }),
    errors: ['already_exists'],
    role: 'viewer',
  }),
  'tokens.delete': defineOperation({
    summary: 'Revoke an API token (admins: any token, other users: their own)',
    method: 'DELETE',
    path: '/tokens/{tokenId}',
    input: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) }),
    output: TokenView,
    errors: ['not_found'],
    role: 'viewer',
  }),
};
