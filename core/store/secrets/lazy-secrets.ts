import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../home/config/home.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import { keychainFile, readKeychainFile } from '../../process/secrets/keychain-file.ts';
import type { Keychain, SecretSources } from '../../process/secrets/provider.ts';
import type { KeyHolder } from '../../process/secrets/key-holder.ts';
import type { SecretStore } from './secret-store.ts';
import type { SecretUses } from './secret-uses.ts';

interface LazySecretsOptions {
  readonly paths: Pick<HomePaths, 'home' | 'data'>;
  readonly config: Pick<EngineConfig, 'secrets'>;
  readonly clock: Clock;
  /** Variables of this process. */
  readonly location: { readonly environment: Readonly<Record<string, string | undefined>> };
  readonly keychain?: Keychain | undefined;
  readonly appKey?: KeyHolder | undefined;
}

/** The secrets of a home. Opens the store on first use: most runs have no stored secrets. */
export class LazySecrets {
  readonly sources: SecretSources;
  readonly #options: LazySecretsOptions;
  #opened: Promise<SecretStore> | undefined;
  #uses: SecretUses | undefined;

  constructor(options: LazySecretsOptions) {
    this.#options = options;
    this.sources = {
      store: () => this.open(),
      keychain: options.keychain,
      keychainEntries: () => Object.keys(readKeychainFile(keychainFile(options.paths.home))),
      vault: options.config.secrets.vault,
      clock: options.clock,
      recordUse: async (secrets, workflow) =>
        (await this.openUses()).record(secrets, workflow, options.clock.now()),
    };
  }

  open(): Promise<SecretStore> {
    return (this.#opened ??= this.#load());
  }

  /**
   * Returns a stored secret. Rejects with a message that names it and says what to do.
   * @param user what uses it, such as `channel ops`
   */
  readonly read = async (name: string, user: string): Promise<string> => {
    const value = await (await this.open()).get(name);
    if (value === undefined)
      throw new AppError(
        'not_found',
        `Secret "${name}" not found. Add it under Secrets, or with "engine secrets set ${name}".`,
      );
    try {
      (await this.openUses()).record([{ provider: 'store', key: name }], user, this.#options.clock.now());
    } catch {
      // The time of the last use is not worth failing for.
    }
    return value;
  };

  async openUses(): Promise<SecretUses> {
    const { SecretUses } = await import('./secret-uses.ts');
    return (this.#uses ??= new SecretUses(this.#options.paths.data));
  }

  async #load(): Promise<SecretStore> {
    const { SecretStore } = await import('./secret-store.ts');
    const { fileKey, secretsKeyVariable, variableKey } = await import('../../process/secrets/text-keys.ts');
    const { systemKeychain } = await import('../../process/secrets/system-keychain.ts');
    const { paths, config, clock, location, appKey } = this.#options;
    const variable = location.environment[secretsKeyVariable] ?? '';
    const { keyFile } = config.secrets;
    const { platform } = process;
    const holders = [
      ...(variable === '' ? [] : [variableKey(variable)]),
      ...(keyFile === undefined ? [] : [fileKey(keyFile, platform)]),
      systemKeychain(platform, location.environment),
      ...(appKey === undefined ? [] : [appKey]),
    ];
    return new SecretStore(paths.data, clock, holders);
  }
}
