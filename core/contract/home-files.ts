import Type, { type Static } from 'typebox';
import { roles } from './operation.ts';
import { literals } from './run-views.ts';

const StoredUser = Type.Object({
  id: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  role: literals(roles),
  /** Format of `passwords.ts`. */
  passwordHash: Type.String(),
  /** Epoch milliseconds, like all times here. */
  createdAt: Type.Number(),
  updatedAt: Type.Number(),
  /** Sessions started at or before this time have ended. */
  sessionsEndedAt: Type.Number(),
});
/** A stored user. */
export type StoredUser = Static<typeof StoredUser>;

const StoredToken = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  role: literals(roles),
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
/** A stored API token. */
export type StoredToken = Static<typeof StoredToken>;

const StoredKey = Type.Object({
  kid: Type.String({ minLength: 1 }),
  /** 32 random bytes, base64url. */
  secret: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  createdAt: Type.Number(),
  /** Expiry of an old key in epoch milliseconds; until then its signatures are valid. */
  retiresAt: Type.Optional(Type.Number()),
});
/** A stored key of sessions. */
export type StoredKey = Static<typeof StoredKey>;

/**
 * How a holder of the key of the secret store can be reached: the variable, the key file, the keychain of the system, or
 * that of the desktop app.
 */
const keyHolderKinds = ['variable', 'file', 'keychain', 'app'] as const;
export type KeyHolderKind = (typeof keyHolderKinds)[number];

/** What the secret store notes about one holder of its key. Contains no key. */
const KeySlot = Type.Object({
  kind: literals(keyHolderKinds),
  /** Where the key is, for messages: `the key file /etc/stepwright/key`. */
  place: Type.String(),
  /** Host name of the machine that added the holder. */
  host: Type.String(),
  /** What the holder needs to return its key: a salt, or the key encrypted by the system. */
  hint: Type.String(),
  /** The key of the store, encrypted with the key of the holder. */
  sealed: Type.String(),
});
export type KeySlot = Static<typeof KeySlot>;

const StoredSecret = Type.Object({
  sealed: Type.String(),
  changedAt: Type.String(),
  changedBy: Type.Optional(Type.String()),
});

const SecretUse = Type.Object({ at: Type.Integer(), workflow: Type.String() });
export type SecretUse = Static<typeof SecretUse>;

/** Contents of the JSON files of the home. Their validators are compiled in the build. */
export const homeFileSchemas = {
  users: Type.Object({ version: Type.Literal(1), users: Type.Array(StoredUser) }),
  tokens: Type.Object({ version: Type.Literal(1), tokens: Type.Array(StoredToken) }),
  /** Sessions that ended early. Times are epoch milliseconds; expired entries are removed. */
  sessions: Type.Object({
    version: Type.Literal(1),
    ended: Type.Array(Type.Object({ id: Type.String(), until: Type.Number() })),
    /** Users of a provider: sessions started at or before `at` have ended. */
    endedOf: Type.Array(Type.Object({ userId: Type.String(), at: Type.Number(), until: Type.Number() })),
  }),
  /** The first key signs. */
  keys: Type.Object({ version: Type.Literal(1), keys: Type.Array(StoredKey) }),
  secrets: Type.Object({
    /** Format of the file. */
    version: Type.Integer(),
    /** Identifies the key of the store. */
    id: Type.String(),
    slots: Type.Array(KeySlot),
    secrets: Type.Record(Type.String(), StoredSecret),
  }),
  secretUses: Type.Object({ uses: Type.Record(Type.String(), SecretUse) }),
};

export type HomeFileKind = keyof typeof homeFileSchemas;
export type HomeFile<Kind extends HomeFileKind> = Static<(typeof homeFileSchemas)[Kind]>;
