import Type, { type Static } from 'typebox';
import type { AuthPaths } from '../auth-paths.ts';
import { JsonFile } from '../files/json-file.ts';

const StoredKey = Type.Object({
  kid: Type.String({ minLength: 1 }),
  /** 32 random bytes, base64url. */
  secret: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  createdAt: Type.Number(),
  /** Expiry of an old key in epoch milliseconds; until then its signatures are valid. */
  retiresAt: Type.Optional(Type.Number()),
});
/** A stored key. */
export type StoredKey = Static<typeof StoredKey>;

/** The first key signs. */
const KeyFileContent = Type.Object({ version: Type.Literal(1), keys: Type.Array(StoredKey) });

export type KeyFile = JsonFile<typeof KeyFileContent>;

export const openKeyFile = ({ key, lock }: AuthPaths): KeyFile =>
  new JsonFile({
    file: key,
    lock,
    schema: KeyFileContent,
    empty: { version: 1, keys: [] },
    what: 'key file',
    remedy: 'Delete it to generate a new key; all users must log in again.',
  });
