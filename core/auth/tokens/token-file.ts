import Type, { type Static } from 'typebox';
import { RoleView } from '../../contract/accounts/users.ts';
import type { AuthPaths } from '../auth-paths.ts';
import { JsonFile } from '../files/json-file.ts';

const StoredToken = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  role: RoleView,
  /** Absent if created on the machine, or with the configured basic credentials. */
  owner: Type.Optional(Type.Object({ id: Type.String(), username: Type.String() })),
  /** The first characters of the secret. */
  hint: Type.String(),
  /** SHA-256 of the secret, hexadecimal; random secrets need no salt and no slow hash. */
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Epoch milliseconds, like all times here. */
  createdAt: Type.Number(),
  expiresAt: Type.Optional(Type.Number()),
  lastUsedAt: Type.Optional(Type.Number()),
});
/** A stored token. */
export type StoredToken = Static<typeof StoredToken>;

const TokenFileContent = Type.Object({ version: Type.Literal(1), tokens: Type.Array(StoredToken) });

export type TokenFile = JsonFile<typeof TokenFileContent>;

export const openTokenFile = ({ tokens, lock }: AuthPaths): TokenFile =>
  new JsonFile({
    file: tokens,
    lock,
    schema: TokenFileContent,
    empty: { version: 1, tokens: [] },
    what: 'token file',
    remedy: 'Restore it from a backup, or move it away and create the tokens again.',
  });
