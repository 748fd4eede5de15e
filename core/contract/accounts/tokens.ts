import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Timestamp } from '../runs/run-views.ts';
import { RoleView } from './users.ts';

/** An API token without its secret, which cannot be shown again. */
export const TokenView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Maximum role; never exceeds the role of its owner. */
  role: RoleView,
  /** User name of the owner; absent for a token that was created on the machine itself. */
  owner: Type.Optional(Type.String()),
  /** The first characters, to distinguish tokens: `swt_3fQ9`. */
  hint: Type.String(),
  createdAt: Timestamp,
  /** Absent for a token that does not expire. */
  expiresAt: Type.Optional(Timestamp),
  /** Accurate to about a minute; absent if it was never used. */
  lastUsedAt: Type.Optional(Timestamp),
});
export type TokenView = Static<typeof TokenView>;

export const tokenOperations = {
  'tokens.list': defineOperation({
    summary: 'List API tokens, newest first (admins see all tokens, other users their own)',
    method: 'GET',
    path: '/tokens',
    input: Type.Object({
      /** Default: 50. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the previous page. */
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
      /** Must not exceed the caller's role. */
      role: RoleView,
      /** Default: does not expire. */
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
