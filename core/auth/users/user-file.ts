import Type, { type Static } from 'typebox';
import { RoleView } from '../../contract/accounts/users.ts';
import type { AuthPaths } from '../auth-paths.ts';
import { JsonFile } from '../files/json-file.ts';

const StoredUser = Type.Object({
  id: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  role: RoleView,
  /** As `passwords/hash-password.ts` writes it. */
  passwordHash: Type.String(),
  /** Epoch milliseconds, as all times here. */
  createdAt: Type.Number(),
  updatedAt: Type.Number(),
  /** Sessions begun until then have ended. */
  sessionsEndedAt: Type.Number(),
});
/** A user as the file keeps it. */
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
    cure: 'Restore it from a backup, or move it away and create the users again with "engine users create".',
  });
