import { Type, type Static } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { Secret } from '../../model/settings.ts';

/** Sources of secrets of one host. */
export interface SecretSources {
  /** Opens the secret store of the home. */
  store?(): Promise<{ get(name: string): Promise<string | undefined> }>;
  /** Only in the desktop app. */
  readonly keychain?: Keychain | undefined;
  /** Lists the entries of the keychain that only the desktop app of this home can read. */
  keychainEntries?(): readonly string[];
  readonly vault?: VaultSettings;
  readonly clock?: Pick<Clock, 'after'>;
  /** Records that a run of a workflow has used secrets. */
  recordUse?(secrets: readonly Secret[], workflow: string): Promise<void>;
}

/** A HashiCorp Vault server and how to sign in. */
export interface VaultSettings {
  /** URL. */
  readonly address?: string | undefined;
  /** Mount of the KV version 2 engine for keys without one. */
  readonly mount: string;
  readonly namespace?: string | undefined;
  readonly token?: string | undefined;
  /** Absolute path; so is the next one. */
  readonly tokenFile?: string | undefined;
  readonly caFile?: string | undefined;
  /** AppRole, instead of a token. */
  readonly roleId?: string | undefined;
  readonly secretId?: string | undefined;
}

/** Context of a run for resolving a secret. */
export interface SecretContext extends SecretSources {
  /** The engine's environment, overlaid with the workflow's `env` and dotenv. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the run's working directory. */
  readonly workingDir: string;
  /** Absolute path of the folder of the workflow file. */
  readonly fileDir: string;
}

/** A source of secret values. Stateless. */
export interface SecretProvider {
  /** Value of `provider` in a workflow. */
  readonly name: string;
  /**
   * Resolves one value. Rejects with an error message that states the cause and the solution, and never contains a
   * value, because it is shown and stored.
   */
  resolve(secret: Secret, context: SecretContext): Promise<string>;
}

/** Secrets that the desktop app stores for its engine. */
export interface Keychain {
  /**
   * Returns the value of a key; undefined if there is none. Rejects with an error message that never contains a value.
   */
  read(key: string): Promise<string | undefined>;
}

/** How a holder of the key of the secret store can be reached: the variable, the key file, the keychain of the system, or that of the desktop app. */
export const keyHolderKinds = ['variable', 'file', 'keychain', 'app'] as const;
export type KeyHolderKind = (typeof keyHolderKinds)[number];

/** What the secret store notes about one holder of its key. Contains no key. */
export const KeySlot = Type.Object({
  kind: Type.Enum([...keyHolderKinds]),
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

/** Keeps a key that opens the secret store of a home. */
export interface KeyHolder {
  readonly kind: KeyHolderKind;
  /** As in `KeySlot`. */
  readonly place: string;
  /** Whether other programs of the user could read the key. */
  isWeak?(): boolean;
  /**
   * Makes the key for a new slot, of 32 bytes. Rejects when the holder is not available; the message says why.
   * @param id identifies the store
   */
  create(id: string): Promise<{ readonly key: Buffer; readonly hint: string }>;
  /** Returns the key of a slot; undefined if this host does not have it. Rejects as `create` does. */
  find(id: string, slot: Pick<KeySlot, 'hint'>): Promise<Buffer | undefined>;
}
