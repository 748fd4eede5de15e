import type { Secret } from '../../model/settings.ts';

/** Context of a run for resolving a secret. */
export interface SecretContext {
  /** The engine's environment, overlaid with the workflow's `env` and dotenv. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the run's working directory. */
  readonly workingDir: string;
  /** Absolute path of the folder of the workflow file. */
  readonly fileDir: string;
  /** Keychain of the desktop app; absent in every other host. */
  readonly keychain?: Keychain | undefined;
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
