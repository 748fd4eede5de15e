import Type, { type Static } from 'typebox';
import { userNamePattern } from '../../base/ids.ts';
import { defineOperation, roles } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

export const RoleView = literals(roles);

/** Compared case-insensitively. */
export const UserName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: userNamePattern,
  description: 'Username: at most 64 characters, no spaces or colons',
});
export const NewPassword = Type.String({ minLength: 8, maxLength: 256 });

/** A user of the user file. */
export const UserView = Type.Object({
  id: Type.String(),
  username: Type.String(),
  role: RoleView,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type UserView = Static<typeof UserView>;

const userId = Type.String({ minLength: 1, maxLength: 64, description: 'User id' });

export const userOperations = {
  'users.list': defineOperation({
    summary: 'List users, sorted by name',
    method: 'GET',
    path: '/users',
    input: Type.Object({
      /** Default: 50. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ users: Type.Array(UserView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'admin',
  }),
  'users.create': defineOperation({
    summary: 'Create a user',
    method: 'POST',
    path: '/users',
    status: 201,
    input: Type.Object({ username: UserName, password: NewPassword, role: RoleView }),
    output: UserView,
    errors: ['already_exists'],
    role: 'admin',
  }),
  'users.get': defineOperation({
    summary: 'Get a user',
    method: 'GET',
    path: '/users/{userId}',
    input: Type.Object({ userId }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
  }),
  'users.update': defineOperation({
    summary: 'Change the name or role of a user (a new role applies immediately)',
    method: 'PATCH',
    path: '/users/{userId}',
    input: Type.Object({ userId, username: Type.Optional(UserName), role: Type.Optional(RoleView) }),
    output: UserView,
    errors: ['not_found', 'already_exists'],
    role: 'admin',
  }),
  'users.delete': defineOperation({
    summary: 'Delete a user and end all sessions and tokens of this user',
    method: 'DELETE',
    path: '/users/{userId}',
    input: Type.Object({ userId }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
  }),
  'users.resetPassword': defineOperation({
    summary: 'Set a new password for a user and end all sessions of this user',
    method: 'POST',
    path: '/users/{userId}/reset-password',
    input: Type.Object({ userId, newPassword: NewPassword }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
  }),
};
