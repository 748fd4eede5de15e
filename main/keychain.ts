import { randomBytes } from 'node:crypto';
import type { SafeStorage } from 'electron';
import { AppError, getErrorMessage } from '../core/base/errors.ts';
import type { KeyHolder } from '../core/process/secrets/key-holder.ts';
import { keychainFile, readKeychainFile, writeKeychainFile } from '../core/process/secrets/keychain-file.ts';
import type { EngineApi, Keychain } from '../core/index.ts';
import { windowCaller } from './engine-ipc.ts';

/** Backends that store the key where other programs of the user can read it, or nowhere. */
const weakBackends: readonly string[] = ['basic_text', 'unknown'];
const backendNames: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Keychain', win32: 'DPAPI' };

/**
 * The system's password store as Electron reaches it. Holds the key of the secret store on machines whose keychain no
 * other program of ours can reach, and the secrets of release 0.1.0 until they are moved to the secret store.
 */
export class DesktopKeychain implements Keychain, KeyHolder {
  readonly kind = 'app';
  readonly #safeStorage: Pick<
    SafeStorage,
    'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
  >;
  readonly #platform: NodeJS.Platform;
  readonly #file: string;

  /**
   * @param home Absolute path.
   */
  constructor(
    safeStorage: Pick<
      SafeStorage,
      'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
    >,
    platform: NodeJS.Platform,
    home: string,
  ) {
    this.#safeStorage = safeStorage;
    this.#platform = platform;
    this.#file = keychainFile(home);
  }

  get place(): string {
    return `the keychain of the desktop app (${this.#backendName()})`;
  }

  isWeak(): boolean {
    return weakBackends.includes(this.#backendName());
  }

  async create(): Promise<{ key: Buffer; hint: string }> {
    await this.#assertAvailable();
    const key = randomBytes(32);
    const sealed = await this.#safeStorage.encryptStringAsync(key.toString('base64'));
    return { key, hint: sealed.toString('base64') };
  }

  async find(_id: string, { hint }: { readonly hint: string }): Promise<Buffer | undefined> {
    await this.#assertAvailable();
    const sealed = Buffer.from(hint, 'base64');
    const opened = await this.#safeStorage.decryptStringAsync(sealed).catch(() => undefined);
    return opened && Buffer.from(opened.result, 'base64');
  }

  async read(key: string): Promise<string | undefined> {
    const entries = readKeychainFile(this.#file);
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    return entry && this.#open(key, entry.sealed);
  }

  /**
   * Moves the secrets of release 0.1.0 to the secret store, which every host of the home can use. Of a secret that is
   * in both, the newer value stays. Rejects if one cannot be moved; it stays, and is moved at the next start.
   */
  async moveEntries(api: Pick<EngineApi, 'call'>): Promise<void> {
    const entries = Object.entries(readKeychainFile(this.#file));
    if (entries.length === 0) return;
    const { secrets } = await api.call('secrets.list', {}, windowCaller);
    const failures: string[] = [];
    for (const [name, { sealed, changedAt }] of entries) {
      const stored = secrets.find((secret) => secret.name === name && secret.provider === 'store');
      try {
        if ((stored?.changedAt ?? '') < changedAt) {
          const value = await this.#open(name, sealed);
          await api.call('secrets.set', { name, value }, windowCaller);
        }
        const { [name]: _moved, ...rest } = readKeychainFile(this.#file);
        writeKeychainFile(this.#file, rest);
      } catch (error) {
        failures.push(getErrorMessage(error));
      }
    }
    if (failures.length > 0)
      throw new AppError(
        'unavailable',
        `Could not move secrets from the keychain to the secret store. ${failures.join(' ')}`,
      );
  }

  async #open(key: string, sealed: string): Promise<string> {
    await this.#assertAvailable();
    try {
      return (await this.#safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))).result;
    } catch {
      throw new AppError('unavailable', `Could not decrypt keychain entry ${key}. Enter its value again.`);
    }
  }

  async #assertAvailable(): Promise<void> {
    if (await this.#safeStorage.isAsyncEncryptionAvailable()) return;
    throw new AppError('unavailable', 'The system keychain is not available. Unlock it or sign in again.');
  }

  #backendName(): string {
    if (this.#platform !== 'linux') return backendNames[this.#platform] ?? this.#platform;
    try {
      return this.#safeStorage.getSelectedStorageBackend();
    } catch (error) {
      return getErrorMessage(error);
    }
  }
}
