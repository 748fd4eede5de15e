import Type, { type Static } from 'typebox';
import { RoleView } from '../../contract/accounts/users.ts';
import type { AuthPaths } from '../auth-paths.ts';
import { JsonFile } from '../files/json-file.ts';

const StoredUser = Type.Object({
  id: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  role: RoleView,
  /** Format of `passwords/hash-password.ts`. */
  passwordHash: Type.String(),
  /** Epoch milliseconds, like all times here. */
  createdAt: Type.Number(),
  updatedAt: Type.Number(),
  /** Sessions started at or before this time have ended. */
  sessionsEndedAt: Type.Number(),
});
/** A stored user. */
export type StoredUser = Static<typeof StoredUser>;

const UserFileContent = Type.Object({ version: Type.Literal(1), users: Type.Array(StoredUser) });

export type UserFile = JsonFile<typeof UserFileContent>;

export const openUserFile = ({ users, lock }: AuthPaths): UserFile =>
  new JsonFile({
    file: users,
    lock,
    schema: UserFileContent,
    empty: { version: 1, users: [] },
    what: 'user file',
    remedy:
      'Restore it from a backup, or move it away and create the users again with "engine users create".',
  });
