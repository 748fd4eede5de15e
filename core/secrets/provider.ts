import type { Secret } from '../model/settings.ts';
import type { Keychain } from './keychain.ts';

/** What of a run the looking up of a secret may depend on. */
export interface SecretFacts {
  /** The engine's environment, overlaid with the workflow's `env` and dotenv. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute: the run's working directory. */
  readonly workingDir: string;
  /** Absolute: the folder of the workflow's file. */
  readonly fileDir: string;
  /** Of the desktop app; absent in every other host. */
  readonly keychain?: Keychain | undefined;
}

/** A place where values of secrets come from. Holds no state. */
export interface SecretProvider {
  /** What `provider` says in a workflow. */
  readonly name: string;
  /**
   * Looks up one value. Rejects with an error whose message says what is wrong and what to do, and never holds a
   * value: it is shown to people and kept.
   */
  resolve(secret: Secret, facts: SecretFacts): Promise<string>;
}
