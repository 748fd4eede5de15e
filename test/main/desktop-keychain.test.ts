import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  keychainFile,
  readKeychainFile,
  writeKeychainFile,
} from '../../core/process/secrets/keychain-file.ts';
import { DesktopKeychain } from '../../main/keychain.ts';
import { TestEngine } from '../harness/engine.ts';
import { FakeClock } from '../harness/fakes.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

/** Encrypts by reversing text; a new key makes it request re-encryption. */
class FakeSafeStorage {
  available = true;
  backend = 'gnome_libsecret' as ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>;
  key = 'k1';
  isAsyncEncryptionAvailable = () => Promise.resolve(this.available);
  getSelectedStorageBackend = () => this.backend;
  encryptStringAsync = (text: string) => {
    return Promise.resolve(Buffer.from(`${this.key}:${[...text].reverse().join('')}`));
  };
  decryptStringAsync = (sealed: Buffer) => {
    const [key = '', text = ''] = sealed.toString().split(':');
    if (!/^k\d$/.test(key)) return Promise.reject(new Error('Error while decrypting'));
    return Promise.resolve({ result: [...text].reverse().join(''), shouldReEncrypt: key !== this.key });
  };
}

let home: string;
let storage: FakeSafeStorage;
let keychain: DesktopKeychain;

const openKeychain = (platform: NodeJS.Platform = 'linux'): DesktopKeychain =>
  new DesktopKeychain(storage, platform, home);

/** What release 0.1.0 stored. */
async function writeEntries(entries: Readonly<Record<string, string>>): Promise<void> {
  const sealed = Object.entries(entries).map(async ([key, value]) => {
    const bytes = await storage.encryptStringAsync(value);
    return [key, { sealed: bytes.toString('base64'), changedAt: '2026-06-01T00:00:00.000Z' }] as const;
  });
  writeKeychainFile(keychainFile(home), Object.fromEntries(await Promise.all(sealed)));
}

beforeEach(() => {
  home = makeTemporaryFolder();
  // Hides the keychain of the developer.
  vi.stubEnv('HOME', home);
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere');
  storage = new FakeSafeStorage();
  keychain = openKeychain();
});

it('keeps the key of the secret store for later starts of the app', async () => {
  const { key, hint } = await keychain.create();
  expect(Buffer.from(hint, 'base64').toString()).not.toContain(key.toString('base64'));
  expect(await openKeychain().find('store-1', { hint })).toEqual(key);
  storage.key = 'k2';
  expect(await openKeychain().find('store-1', { hint })).toEqual(key);
  expect(await keychain.find('store-1', { hint: 'eDp5' })).toBeUndefined();
});

describe('secrets of release 0.1.0', () => {
  it('are moved to the secret store, and every host of the home can then read them', async () => {
    await writeEntries({ db: 'hunter2', api: 'tok' });
    const engine = new TestEngine({ home, keychain, appKey: keychain });
    expect(await engine.call('secrets.list', {})).toMatchObject({ secrets: [], store: { state: 'empty' } });
    await keychain.moveEntries(engine.host.api);
    expect(readKeychainFile(keychainFile(home))).toEqual({});
    const { secrets } = await engine.call('secrets.list', {});
    expect(secrets.map(({ name }) => name)).toEqual(['api', 'db']);
    const spec = `
secrets:
  - { name: OLD, provider: keychain, key: db }
  - { name: NEW, provider: store, key: db }
steps: [{ name: a, command: 'test "$OLD" = "$NEW" && test "$OLD" = hunter2' }]`;
    expect((await engine.run(spec)).status).toBe('succeeded');
  });

  it('work before they are moved', async () => {
    await writeEntries({ db: 'hunter2' });
    expect(await keychain.read('db')).toBe('hunter2');
    expect(await keychain.read('constructor')).toBeUndefined();
  });

  it('do not replace a newer stored secret', async () => {
    await writeEntries({ db: 'old' });
    const clock = new FakeClock(Date.parse('2026-07-01T00:00:00Z'));
    const engine = new TestEngine({ home, clock, keychain, appKey: keychain });
    await engine.call('secrets.set', { name: 'db', value: 'new' });
    await keychain.moveEntries(engine.host.api);
    const spec = `
secrets: [{ name: DB, provider: keychain, key: db }]
steps: [{ name: a, command: 'test "$DB" = new' }]`;
    expect((await engine.run(spec)).status).toBe('succeeded');
    expect(readKeychainFile(keychainFile(home))).toEqual({});
  });

  it('stay when the keychain is locked or they were encrypted elsewhere', async () => {
    await writeEntries({ db: 'hunter2' });
    const engine = new TestEngine({ home, keychain, appKey: keychain });
    const before = readKeychainFile(keychainFile(home));
    storage.available = false;
    await expect(keychain.moveEntries(engine.host.api)).rejects.toThrow('is not available. Unlock it');
    await expect(keychain.read('db')).rejects.toThrow('is not available. Unlock it');
    storage.available = true;
    expect(readKeychainFile(keychainFile(home))).toEqual(before);
    writeKeychainFile(keychainFile(home), { db: { ...before['db']!, sealed: 'eDp5' } });
    await expect(keychain.moveEntries(engine.host.api)).rejects.toThrow('Enter its value again');
    expect(Object.keys(readKeychainFile(keychainFile(home)))).toEqual(['db']);
  });

  it('in a damaged file are reported, and left unchanged', async () => {
    await writeEntries({});
    writeFileSync(keychainFile(home), '{"entries": 1');
    await expect(keychain.read('db')).rejects.toMatchObject({ code: 'invalid_config' });
    const engine = new TestEngine({ home });
    await expect(keychain.moveEntries(engine.host.api)).rejects.toMatchObject({ code: 'invalid_config' });
    expect(readFileSync(keychainFile(home), 'utf8')).toBe('{"entries": 1');
  });
});

it.each([
  ['linux', 'basic_text', 'basic_text', true],
  ['linux', 'kwallet6', 'kwallet6', false],
  ['darwin', 'basic_text', 'Keychain', false],
  ['win32', 'basic_text', 'DPAPI', false],
] as const)('on %s with %s the backend is %s, weak: %s', (platform, selected, backend, weak) => {
  storage.backend = selected;
  const other = openKeychain(platform);
  expect(other.place).toBe(`the keychain of the desktop app (${backend})`);
  expect(other.isWeak()).toBe(weak);
});
