import { getErrorMessage } from '../../base/errors.ts';
import type { Secret } from '../../model/settings.ts';
import { commandProvider, fileProvider } from './local-providers.ts';
import type { SecretProvider, SecretContext } from './provider.ts';
import { vaultProvider } from './vault-provider.ts';

/** Returns the value of an environment variable. An unset variable is an error, an empty one is not. */
const envProvider: SecretProvider = {
  name: 'env',
  resolve({ key }, { variables }) {
    const value = Object.hasOwn(variables, key) ? variables[key] : undefined;
    if (value !== undefined) return Promise.resolve(value);
    return Promise.reject(
      new Error(
        `the variable ${key} is not set; set it in the environment of the engine, in "env" or in a dotenv file`,
      ),
    );
  },
};

/** Returns a secret of the store of the home. */
const storeProvider: SecretProvider = {
  name: 'store',
  async resolve({ key }, { store }) {
    const value = await (await store?.())?.get(key);
    if (value !== undefined) return value;
    throw new Error(
      `no stored secret "${key}"; add it with "engine secrets set ${key}" or on the page Secrets`,
    );
  },
};

/** Returns an entry of the desktop app's keychain, or the stored secret that it was moved to. */
const keychainProvider: SecretProvider = {
  name: 'keychain',
  async resolve({ key }, { store, keychain, keychainEntries }) {
    const value = (await (await store?.())?.get(key)) ?? (await keychain?.read(key));
    if (value !== undefined) return value;
    if (keychainEntries?.().includes(key) === true)
      throw new Error(
        `keychain entry ${key} is only available in the desktop app; start the app once, which moves it to the secret store, or start the workflow there`,
      );
    throw new Error(
      `keychain entry ${key} not found; add it with "engine secrets set ${key}" or in the desktop app (Secrets)`,
    );
  },
};

/** A new provider must be added here and in `core/spec/rules/env.ts`. */
const providers: Readonly<Record<string, SecretProvider>> = {
  store: storeProvider,
  env: envProvider,
  file: fileProvider,
  keychain: keychainProvider,
  command: commandProvider,
  vault: vaultProvider,
};

/** A secret without a value. The message names the secret, its provider and its key, and how to provide it. */
export class SecretError extends Error {
  readonly secret: Pick<Secret, 'name' | 'provider' | 'key'>;

  constructor({ name, provider, key }: Secret, cause: unknown) {
    super(`secret ${name} (provider ${provider}, key ${key}) has no value: ${getErrorMessage(cause)}`, {
      cause,
    });
    this.name = 'SecretError';
    this.secret = { name, provider, key };
  }
}

/**
 * Resolves the secrets of a run by name. Rejects with a `SecretError` for the first one without a value; the run then
 * fails before any step.
 */
export async function resolveSecrets(
  secrets: readonly Secret[],
  context: SecretContext,
): Promise<Record<string, string>> {
  const values: [name: string, value: string][] = [];
  for (const secret of secrets) {
    try {
      values.push([secret.name, await findProvider(secret.provider).resolve(secret, context)]);
    } catch (error) {
      throw new SecretError(secret, error);
    }
  }
  return Object.fromEntries(values);
}

/**
 * Returns the values of the secrets that can be resolved, to mask them in messages about a run whose secrets were not
 * resolved; without those of commands and servers, which nothing has requested yet. Never rejects.
 */
export async function findSecretValues(
  secrets: readonly Secret[],
  context: SecretContext,
): Promise<string[]> {
  const results = await Promise.allSettled(
    secrets
      .filter(({ provider }) => !isFetched(provider))
      .map(async (secret) => findProvider(secret.provider).resolve(secret, context)),
  );
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Whether resolving a secret runs a command or a request. */
export const isFetched = (provider: string): boolean => provider === 'command' || provider === 'vault';

function findProvider(name: string): SecretProvider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider) return provider;
  throw new Error(`unknown provider; use ${nameProviders(Object.keys(providers))}`);
}

const nameProviders = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Minimum number of non-blank characters; shorter values reveal nothing and would match everywhere. */
const minCharacters = 4;

/**
 * Whether to mask a value that is not declared as a secret itself, for example from a file of secrets. Excludes values
 * that are too short, and `true` and `false`, which would make all text unreadable.
 */
export const shouldMask = (value: string): boolean =>
  value.replaceAll(/\s/g, '').length >= minCharacters && !/^\s*(true|false)\s*$/i.test(value);
