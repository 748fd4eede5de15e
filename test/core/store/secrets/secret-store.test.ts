import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { fileKey, variableKey } from '../../../../core/process/secrets/text-keys.ts';
import type { KeyHolder } from '../../../../core/process/secrets/key-holder.ts';
import { SecretStore } from '../../../../core/store/secrets/secret-store.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** As long as 32 random bytes, which need no slow derivation. */
const variable = variableKey('0123456789abcdef'.repeat(3));
const other = variableKey('another key of a host'.repeat(3));

/** A keychain that this process can reach, or not. */
class FakeKeychain implements KeyHolder {
  readonly kind = 'keychain';
  readonly place = "the system's keychain";
  isThere = true;
  readonly #keys = new Map<string, Buffer>();

  create(id: string): Promise<{ key: Buffer; hint: string }> {
    if (!this.isThere) return Promise.reject(new Error('secret-tool is not installed'));
    const key = randomBytes(32);
    this.#keys.set(id, key);
    return Promise.resolve({ key, hint: '' });
  }

  find(id: string): Promise<Buffer | undefined> {
    if (!this.isThere) return Promise.reject(new Error('secret-tool is not installed'));
    return Promise.resolve(this.#keys.get(id));
  }
}

function makeStore(...holders: readonly KeyHolder[]) {
  const dataDir = makeTemporaryFolder();
  const open = (...more: readonly KeyHolder[]): SecretStore =>
    new SecretStore(dataDir, new FakeClock(), more);
  return { dataDir, file: path.join(dataDir, 'secrets.json'), open, store: open(...holders) };
}

interface StoreFile {
  secrets: Record<string, { sealed: string }>;
}

function edit(file: string, change: (content: StoreFile) => void): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as StoreFile;
  change(content);
  writeFileSync(file, JSON.stringify(content));
}

test('values are stored, replaced, listed and deleted, in every process with the key', async () => {
  const { store, open } = makeStore(variable);
  expect(await store.set('sales/token', 'hunter2', 'ann')).toMatchObject({
    isNew: true,
    keyPlace: 'the variable ENGINE_SECRETS_KEY',
  });
  expect(await store.set('a', 'line 1\nline 2\n')).toMatchObject({ isNew: true });
  expect(await store.set('sales/token', 'hunter3', 'bob')).toMatchObject({ isNew: false });
  const fresh = open(variable);
  expect(await fresh.get('sales/token')).toBe('hunter3');
  expect(await fresh.get('a')).toBe('line 1\nline 2\n');
  expect(fresh.list().map(({ name, changedBy }) => [name, changedBy])).toEqual([
    ['a', undefined],
    ['sales/token', 'bob'],
  ]);
  expect(fresh.delete('a')).toMatchObject({ name: 'a' });
  expect(await store.get('a')).toBeUndefined();
  expect(() => store.delete('a')).toThrow('Secret "a" not found.');
});

test('the file is private and contains no value', async () => {
  const { store, file } = makeStore(variable);
  await store.set('db', 'hunter2-and-more');
  const text = readFileSync(file, 'utf8');
  for (const form of ['utf8', 'base64', 'hex'] as const)
    expect(text).not.toContain(Buffer.from('hunter2-and-more').toString(form));
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('names of object properties are ordinary names', async () => {
  const { store } = makeStore(variable);
  expect(await store.get('constructor')).toBeUndefined();
  expect(() => store.delete('__proto__')).toThrow('not found');
  await store.set('__proto__', 'x');
  expect(await store.get('__proto__')).toBe('x');
});

it.each([
  ['a b', 'x', 'Invalid secret name "a b"'],
  ['', 'x', 'Invalid secret name'],
  ['a', '', 'The value is empty'],
  ['a', 'x\0y', 'NUL byte'],
  ['a', 'ü'.repeat(40_000), 'larger than 64 KiB'],
])('rejects %j: %.5j', async (name, value, message) => {
  const { store, file } = makeStore(variable);
  await expect(store.set(name, value)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(message),
  });
  expect(existsSync(file)).toBe(false);
});

describe('a file that was changed', () => {
  it('does not open a value under another name', async () => {
    const { store, file, open } = makeStore(variable);
    await store.set('harmless', 'x');
    await store.set('admin', 'y');
    edit(file, ({ secrets }) => (secrets['harmless'] = secrets['admin']!));
    await expect(open(variable).get('harmless')).rejects.toThrow(
      'The stored secret harmless is damaged. Enter its value again.',
    );
  });

  it('does not open a value with a changed bit', async () => {
    const { store, file, open } = makeStore(variable);
    await store.set('db', 'hunter2');
    edit(file, ({ secrets }) => {
      const bytes = Buffer.from(secrets['db']!.sealed, 'base64');
      bytes[bytes.length - 1]! ^= 1;
      secrets['db']!.sealed = bytes.toString('base64');
    });
    const fresh = open(variable);
    await expect(fresh.get('db')).rejects.toThrow('is damaged');
    await fresh.set('db', 'hunter3');
    expect(await fresh.get('db')).toBe('hunter3');
  });

  it('is left as it is when torn', async () => {
    const { store, file } = makeStore(variable);
    await store.set('db', 'hunter2');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    const torn = readFileSync(file, 'utf8');
    await expect(store.set('db', 'x')).rejects.toMatchObject({ code: 'home_unusable' });
    expect(() => store.list()).toThrow('Restore it from a backup');
    expect(readFileSync(file, 'utf8')).toBe(torn);
  });

  it('survives a write that was interrupted', async () => {
    const { store, file } = makeStore(variable);
    await store.set('db', 'hunter2');
    writeFileSync(`${file}.new`, '{"version":');
    expect(await store.get('db')).toBe('hunter2');
    await store.set('db', 'hunter3');
    expect(await store.get('db')).toBe('hunter3');
  });

  it('of a newer release is rejected', async () => {
    const { store, file } = makeStore(variable);
    await store.set('db', 'hunter2');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"version": 1', '"version": 2'));
    await expect(store.set('db', 'x')).rejects.toThrow('written by a newer release (format 2)');
  });
});

describe('the key', () => {
  it('of another host does not open the store, and the message says where the right one is', async () => {
    const { store, open } = makeStore(variable);
    await store.set('db', 'hunter2');
    const locked = open(other);
    await expect(locked.get('db')).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'Cannot open the secret store on this host (the variable ENGINE_SECRETS_KEY does not have its key). ' +
        `Its key is in the variable ENGINE_SECRETS_KEY on ${hostname()}. ` +
        `Set ENGINE_SECRETS_KEY to the same value as on ${hostname()}.`,
    });
    await expect(locked.set('db', 'x')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await locked.status()).toMatchObject({ state: 'locked', problem: expect.any(String) });
    expect(await store.get('db')).toBe('hunter2');
  });

  it('is made by the first holder that is available', async () => {
    const [missing, present] = [new FakeKeychain(), new FakeKeychain()];
    missing.isThere = false;
    const { store } = makeStore(missing, present);
    expect(await store.status()).toEqual({ state: 'empty', places: [], isWeak: false });
    expect(await store.set('db', 'hunter2')).toMatchObject({ keyPlace: present.place });
    expect(await store.status()).toMatchObject({
      state: 'open',
      places: [`the system's keychain on ${hostname()}`],
    });
  });

  it('is never made elsewhere when a variable was set', async () => {
    const { store } = makeStore(variableKey('short'), new FakeKeychain());
    await expect(store.set('db', 'hunter2')).rejects.toThrow(
      'ENGINE_SECRETS_KEY has fewer than 16 characters',
    );
  });

  it('needs a place, and the message names those that a server can have', async () => {
    const missing = new FakeKeychain();
    missing.isThere = false;
    const { store } = makeStore(missing);
    await expect(store.set('db', 'hunter2')).rejects.toThrow(
      /secret-tool is not installed.*Set the variable ENGINE_SECRETS_KEY, or a key file/s,
    );
  });

  it('is shared with a key file or variable that is set later, and the store then opens without the keychain', async () => {
    const keychain = new FakeKeychain();
    const { store, open, dataDir } = makeStore(keychain);
    await store.set('db', 'hunter2');
    const file = fileKey(path.join(dataDir, '../key'), process.platform);
    await expect(open(file).get('db')).rejects.toThrow(
      'Start the workflow there; or set a key file there (secrets.keyFile)',
    );
    await open(keychain, file).set('api', 'tok');
    expect(await open(file).get('db')).toBe('hunter2');
    await open(keychain, variable).set('api', 'tok');
    await open(keychain, other).set('api', 'tok');
    expect(await open(other).get('db')).toBe('hunter2');
    await expect(open(variable).get('db')).rejects.toThrow('does not have its key');
  });

  it('is needed for no deletion', async () => {
    const { store, open } = makeStore(variable);
    await store.set('db', 'hunter2');
    open(other).delete('db');
    expect(store.list()).toEqual([]);
  });
});

describe('a key file', () => {
  it('is created with the first secret, for its owner only', async () => {
    const file = path.join(makeTemporaryFolder(), 'keys', 'stepwright');
    const { store } = makeStore(fileKey(file, process.platform));
    await store.set('db', 'hunter2');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim()).toHaveLength(44);
  });

  it('is not created again when it is missing', async () => {
    const file = path.join(makeTemporaryFolder(), 'key');
    const { store, open } = makeStore(variable);
    await store.set('db', 'hunter2');
    await expect(open(fileKey(file, 'linux')).get('db')).rejects.toThrow('Cannot open the secret store');
    expect(existsSync(file)).toBe(false);
  });

  if (process.platform !== 'win32')
    it('that others can read is rejected', async () => {
      const file = path.join(makeTemporaryFolder(), 'key');
      const { store, open } = makeStore(fileKey(file, 'linux'));
      await store.set('db', 'hunter2');
      chmodSync(file, 0o644);
      await expect(open(fileKey(file, 'linux')).get('db')).rejects.toThrow(`run "chmod 600 ${file}"`);
    });
});

test('a short key opens the store, too', async () => {
  const { store, open } = makeStore(variableKey('sixteen letters!'));
  await store.set('db', 'hunter2');
  expect(await open(variableKey('sixteen letters!')).get('db')).toBe('hunter2');
  await expect(open(variableKey('sixteen letters?')).get('db')).rejects.toThrow('does not have its key');
});

test('two processes that store secrets at once create one key and lose none', async () => {
  const { dataDir, open } = makeStore();
  const keyFile = path.join(dataDir, 'key');
  const program = path.join(import.meta.dirname, '../../../programs/set-secrets.ts');
  const children = ['a', 'b'].map((prefix) =>
    spawn(process.execPath, [program, dataDir, keyFile, prefix, '10'], { stdio: 'inherit' }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
  expect(codes).toEqual([0, 0]);
  const store = open(fileKey(keyFile, process.platform));
  const names = store.list().map(({ name }) => name);
  expect(names).toHaveLength(20);
  const values = await Promise.all(names.map((name) => store.get(name)));
  expect(values).toEqual(names.map((name) => `value of ${name}`));
}, 60_000);
