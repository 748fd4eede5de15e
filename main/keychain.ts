import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import type { SafeStorage } from 'electron';
import { AppError, getErrorMessage } from '../core/base/errors.ts';
import { writeFileDurable } from '../core/process/write-file-durable.ts';
import { toIso, type Clock } from '../core/base/clock.ts';
import type { DesktopOutput } from '../core/contract/desktop-calls.ts';
import type { Keychain } from '../core/index.ts';

const Entries = Type.Record(
  Type.String(),
  Type.Object({
    /** The encrypted value, in Base64. */
    sealed: Type.String(),
    changedAt: Type.String(),
  }),
);
const Content = Type.Object({ entries: Entries });
export type SealedEntries = Static<typeof Entries>;

/**
 * Reads the encrypted values. A damaged file is never overwritten.
 * @throws `invalid_config` for a damaged file
 */
function readKeychainFile(file: string): SealedEntries {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError('home_unusable', `Could not read ${file}: ${(error as Error).message}`);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (Check(Content, content)) return content.entries;
  } catch {
    // Reported below.
  }
  throw new AppError(
    'invalid_config',
    `${file} is corrupt. Restore a backup, or delete it and enter the secrets again.`,
  );
}

/** Writes the values atomically, readable by this user only. */
function writeKeychainFile(file: string, entries: SealedEntries): void {
  writeFileDurable(file, `${JSON.stringify({ entries }, undefined, 2)}\n`);
}

export interface KeychainDeps {
  readonly safeStorage: Pick<
    SafeStorage,
    'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
  >;
  readonly platform: NodeJS.Platform;
  /** Absolute path of the file with the encrypted values; may be missing. */
  readonly file: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Backends that store the key where other programs of the user can read it, or nowhere. */
const weakBackends: readonly string[] = ['basic_text', 'unknown'];
const backendNames: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Keychain', win32: 'DPAPI' };

/**
 * Secrets for the engine of this app, encrypted with a key from the system's password store, in a file of the
 * home directory. Values can be set and are passed to runs; no call returns them to the window.
 */
export class DesktopKeychain implements Keychain {
  readonly #deps: KeychainDeps;
  /** Changes are serialized, because encryption is asynchronous. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: KeychainDeps) {
    this.#deps = deps;
  }

  async list(): Promise<DesktopOutput<'keychain.list'>> {
    const backend = this.#backendName();
    const entries = Object.entries(readKeychainFile(this.#deps.file))
      .map(([key, { changedAt }]) => ({ key, changedAt }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const available = await this.#deps.safeStorage.isAsyncEncryptionAvailable();
    return { available, backend, weak: weakBackends.includes(backend), entries };
  }

  /** Adds an entry or replaces its value. Rejects with `unavailable` without a password store. */
  set(key: string, value: string): Promise<void> {
    return this.#serialize(async () => {
      if (value.includes('\0')) throw new AppError('bad_request', 'A value cannot contain a NUL byte');
      await this.#assertAvailable();
      await this.#keep(key, value);
    });
  }

  /** @throws `not_found` */
  delete(key: string): Promise<void> {
    return this.#serialize(() => {
      const { [key]: removed, ...rest } = readKeychainFile(this.#deps.file);
      if (removed === undefined) throw new AppError('not_found', `Keychain entry ${key} not found`);
      writeKeychainFile(this.#deps.file, rest);
    });
  }

  async read(key: string): Promise<string | undefined> {
    const entries = readKeychainFile(this.#deps.file);
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (entry === undefined) return undefined;
    await this.#assertAvailable();
    const { result, shouldReEncrypt } = await this.#open(key, entry.sealed);
    // The system has rotated its key; the value stays valid in any case.
    if (shouldReEncrypt)
      await this.#serialize(() => this.#renew(key, entry.sealed, result)).catch(() => undefined);
    return result;
  }

  #open(key: string, sealed: string): Promise<{ result: string; shouldReEncrypt: boolean }> {
    return this.#deps.safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64')).catch(() => {
      throw new AppError('unavailable', `Could not decrypt keychain entry ${key}. Enter its value again.`);
    });
  }

  /** Encrypts a value again, unless it was replaced in the meantime. */
  async #renew(key: string, sealed: string, value: string): Promise<void> {
    if (readKeychainFile(this.#deps.file)[key]?.sealed === sealed) await this.#keep(key, value);
  }

  async #keep(key: string, value: string): Promise<void> {
    const { safeStorage, file, clock } = this.#deps;
    const sealed = (await safeStorage.encryptStringAsync(value)).toString('base64');
    const changedAt = toIso(clock.now());
    writeKeychainFile(file, { ...readKeychainFile(file), [key]: { sealed, changedAt } });
  }

  async #assertAvailable(): Promise<void> {
    if (await this.#deps.safeStorage.isAsyncEncryptionAvailable()) return;
    throw new AppError('unavailable', 'The system keychain is not available. Unlock it or sign in again.');
  }

  #backendName(): string {
    const { safeStorage, platform } = this.#deps;
    if (platform !== 'linux') return backendNames[platform] ?? platform;
    try {
      return safeStorage.getSelectedStorageBackend();
    } catch (error) {
      return getErrorMessage(error);
    }
  }

  #serialize<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
