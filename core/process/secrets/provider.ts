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
