import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DesktopKeychain } from '../../main/keychain.ts';
import { FakeClock } from '../harness/fakes.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

/** Encrypts by reversing text; a new key makes it request re-encryption. */
class FakeSafeStorage {
  available = true;
  backend = 'gnome_libsecret' as ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>;
  key = 'k1';
  sealings = 0;
  isAsyncEncryptionAvailable = () => Promise.resolve(this.available);
  getSelectedStorageBackend = () => this.backend;
  encryptStringAsync = (text: string) => {
    this.sealings += 1;
    return Promise.resolve(Buffer.from(`${this.key}:${[...text].reverse().join('')}`));
  };
  decryptStringAsync = (sealed: Buffer) => {
    const [key = '', text = ''] = sealed.toString().split(':');
    if (!/^k\d$/.test(key)) return Promise.reject(new Error('Error while decrypting'));
    return Promise.resolve({ result: [...text].reverse().join(''), shouldReEncrypt: key !== this.key });
  };
}

let file: string;
let storage: FakeSafeStorage;
let keychain: DesktopKeychain;

beforeEach(() => {
  file = path.join(makeTemporaryFolder(), 'desktop', 'keychain.json');
  storage = new FakeSafeStorage();
  keychain = new DesktopKeychain({ safeStorage: storage, platform: 'linux', file, clock: new FakeClock() });
});

it('passes stored secrets to runs, and lists names and times only', async () => {
  await keychain.set('db', 'hunter2');
  await keychain.set('api', 'tok');
  expect(await keychain.read('db')).toBe('hunter2');
  const view = await keychain.list();
  expect(view).toMatchObject({ available: true, backend: 'gnome_libsecret', weak: false });
  expect(view.entries.map(({ key }) => key)).toEqual(['api', 'db']);
  expect(JSON.stringify(view)).not.toContain('hunter2');
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('replaces and deletes secrets', async () => {
  await keychain.set('db', 'one');
  await keychain.set('db', 'two');
  expect(await keychain.read('db')).toBe('two');
  await keychain.delete('db');
  expect(await keychain.read('db')).toBeUndefined();
  await expect(keychain.delete('db')).rejects.toMatchObject({ code: 'not_found' });
});

it('preserves all of several concurrent changes', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => keychain.set(key, key)));
  expect((await keychain.list()).entries).toHaveLength(4);
});

it("re-encrypts a value at the system's request", async () => {
  await keychain.set('db', 'hunter2');
  storage.key = 'k2';
  expect(await keychain.read('db')).toBe('hunter2');
  expect(storage.sealings).toBe(2);
  expect(await keychain.read('db')).toBe('hunter2');
  expect(storage.sealings).toBe(2);
});

it('does not read inherited object properties as entries', async () => {
  await keychain.set('db', 'x');
  expect(await keychain.read('constructor')).toBeUndefined();
});

describe('errors do not contain values', () => {
  it('reports a missing password store', async () => {
    await keychain.set('db', 'hunter2');
    storage.available = false;
    await expect(keychain.set('db', 'other')).rejects.toThrow('is not available. Unlock it');
    await expect(keychain.read('db')).rejects.toThrow('is not available. Unlock it');
    expect((await keychain.list()).available).toBe(false);
  });

  it('reports a value encrypted elsewhere', async () => {
    await keychain.set('db', 'hunter2');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"sealed": ".*?"/, '"sealed": "eDp5"'));
    await expect(keychain.read('db')).rejects.toThrow('Enter its value again');
  });

  it('reports a damaged file, which is left unchanged', async () => {
    await keychain.set('db', 'x');
    writeFileSync(file, '{"entries": 1');
    await expect(keychain.set('other', 'y')).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(keychain.list()).rejects.toMatchObject({ code: 'invalid_config' });
    expect(readFileSync(file, 'utf8')).toBe('{"entries": 1');
  });
});

it.each([
  ['linux', 'basic_text', 'basic_text', true],
  ['linux', 'kwallet6', 'kwallet6', false],
  ['darwin', 'basic_text', 'Keychain', false],
  ['win32', 'basic_text', 'DPAPI', false],
] as const)('on %s with %s the backend is %s, weak: %s', async (platform, selected, backend, weak) => {
  storage.backend = selected;
  const other = new DesktopKeychain({ safeStorage: storage, platform, file, clock: new FakeClock() });
  expect(await other.list()).toMatchObject({ backend, weak });
});
