import { messageOf } from '../base/errors.ts';
import type { Secret } from '../model/settings.ts';
import type { SecretContext, SecretProvider } from './provider.ts';
import { envProvider } from './providers/env.ts';
import { fileProvider } from './providers/file.ts';
import { keychainProvider } from './providers/keychain.ts';

/** A new provider must be added here and in `core/spec/rules/secrets.ts`. */
const providers: Readonly<Record<string, SecretProvider>> = {
  env: envProvider,
  file: fileProvider,
  keychain: keychainProvider,
};

/** A secret without a value. The message names the secret, its provider and its key, and says what to do. */
export class SecretError extends Error {
  readonly secret: Pick<Secret, 'name' | 'provider' | 'key'>;

  constructor({ name, provider, key }: Secret, cause: unknown) {
    super(`secret ${name} (provider ${provider}, key ${key}) has no value: ${messageOf(cause)}`, { cause });
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
 * resolved. Never rejects.
 */
export async function findSecretValues(
  secrets: readonly Secret[],
  context: SecretContext,
): Promise<string[]> {
  const results = await Promise.allSettled(
    secrets.map(async (secret) => findProvider(secret.provider).resolve(secret, context)),
  );
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function findProvider(name: string): SecretProvider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider) return provider;
  throw new Error(`unknown provider; use ${nameProviders(Object.keys(providers))}`);
}

const nameProviders = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
