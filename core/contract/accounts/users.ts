import Type, { type Static } from 'typebox';
import { userNamePattern } from '../../base/ids.ts';
import { defineOperation, roles } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

export const RoleView = literals(roles);

/** Case does not count when names are compared. */
export const UserName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: userNamePattern,
  description: 'User name: at most 64 characters, no spaces, no colon',
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

const userId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a user' });

export const userOperations = {
  'users.list': defineOperation({
    summary: 'Lists the users by name',
    method: 'GET',
    path: '/users',
    input: Type.Object({
      /** 50 when absent. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the page before. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ users: Type.Array(UserView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'admin',
  }),
  'users.create': defineOperation({
    summary: 'Adds a user',
    method: 'POST',
    path: '/users',
    status: 201,
    input: Type.Object({ username: UserName, password: NewPassword, role: RoleView }),
    output: UserView,
    errors: ['already_exists'],
    role: 'admin',
  }),
  'users.get': defineOperation({
    summary: 'Shows a user',
    method: 'GET',
    path: '/users/{userId}',
    input: Type.Object({ userId }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
  }),
  'users.update': defineOperation({
    summary: 'Changes the name or the role of a user; a new role counts at once',
    method: 'PATCH',
    path: '/users/{userId}',
    input: Type.Object({ userId, username: Type.Optional(UserName), role: Type.Optional(RoleView) }),
    output: UserView,
    errors: ['not_found', 'already_exists'],
    role: 'admin',
  }),
  'users.delete': defineOperation({
    summary: 'Removes a user; their sessions and tokens end at once',
    method: 'DELETE',
    path: '/users/{userId}',
    input: Type.Object({ userId }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
  }),
  'users.resetPassword': defineOperation({
    summary: 'Gives a user a new password; their sessions end at once',
    method: 'POST',
    path: '/users/{userId}/reset-password',
    input: Type.Object({ userId, newPassword: NewPassword }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
  }),
};
