import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { fastPasswordCost } from '../../../harness/engine.ts';
import { makeAuth, openUsers } from './auth-harness.ts';

const ann = { username: 'Ann', password: 'correct horse', role: 'admin' } as const;
const bob = { username: 'bob', password: 'battery staple', role: 'viewer' } as const;

describe('user file', () => {
  it('can be read by its owner only, and contains no passwords', async () => {
    const { auth, paths } = makeAuth();
    await auth.users.create(ann);
    expect(statSync(paths.users).mode & 0o777).toBe(0o600);
    const text = readFileSync(paths.users, 'utf8');
    expect(text).not.toContain(ann.password);
    expect(text).toContain('$scrypt$ln=4,r=1,p=1$');
  });

  it('shows changes by other processes', async () => {
    const { auth, home } = makeAuth();
    const { id } = await auth.users.create(ann);
    const others = openUsers(home);
    await others.create(bob);
    expect(auth.users.list().map(({ username }) => username)).toEqual(['Ann', 'bob']);
    auth.users.update(id, { username: 'anna' });
    expect(others.get(id).username).toBe('anna');
  });

  it('loses no concurrent change, and leaves no temporary files', async () => {
    const { home, auth, paths } = makeAuth();
    const program = path.join(import.meta.dirname, '../../../programs/create-users.ts');
    const children = ['a', 'b', 'c'].map((name) => spawn(process.execPath, [program, home, name, '15']));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([0, 0, 0]);
    expect(auth.users.list()).toHaveLength(45);
    expect(readdirSync(path.dirname(paths.users)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  }, 60_000);

  it('is not left locked by a killed process', async () => {
    const { home, auth } = makeAuth();
    const program = path.join(import.meta.dirname, '../../../programs/hold-auth-lock.ts');
    const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await auth.users.create(ann);
    expect(auth.users.list()).toHaveLength(1);
  }, 60_000);

  it.each([
    ['{"version":1,', 'invalid JSON'],
    ['{"version":1,"users":[{"id":"1"}]}', '/users/0'],
    ['[]', ''],
  ])('is rejected and left unchanged when it is damaged: %s', async (text, finding) => {
    const { auth, paths } = makeAuth();
    await auth.users.create(ann);
    writeFileSync(paths.users, text);
    expect(() => auth.users.list()).toThrow(finding);
    await expect(auth.users.create(bob)).rejects.toMatchObject({ code: 'home_unusable' });
    await expect(auth.login('Ann', ann.password)).rejects.toThrow(
      /\. Restore it from a backup, or move it away and create the users again with "engine users create"\./,
    );
    expect(readFileSync(paths.users, 'utf8')).toBe(text);
  });

  it('is rejected when it cannot be read', async () => {
    const { auth, paths } = makeAuth();
    mkdirSync(paths.users, { recursive: true });
    expect(() => auth.users.list()).toThrow(/Check the disk and the permissions/);
  });

  it('is not created by reading', () => {
    const { auth, paths } = makeAuth();
    expect(auth.users.list()).toEqual([]);
    expect(auth.needsSetup).toBe(true);
    expect(existsSync(paths.users)).toBe(false);
  });
});

describe('names and passwords', () => {
  it.each(['', 'a b', 'a:b', 'a\u200bb', 'a\nb', 'x'.repeat(65)])('rejects the name %j', async (username) => {
    const { auth } = makeAuth();
    await expect(auth.users.create({ ...ann, username })).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('accepts names in any script', async () => {
    const { auth } = makeAuth();
    await auth.users.create({ ...ann, username: 'jürgen@例え' });
    expect((await auth.login('JÜRGEN@例え', ann.password)).user.username).toBe('jürgen@例え');
  });

  it.each(['1234567', 'x'.repeat(257)])('rejects the password %j', async (password) => {
    const { auth } = makeAuth();
    await expect(auth.users.create({ ...ann, password })).rejects.toThrow(
      /password: must have at (least 8|most 256)/,
    );
  });

  it('treats names as case-insensitively unique', async () => {
    const { auth } = makeAuth();
    await auth.users.create(ann);
    const { id } = await auth.users.create(bob);
    await expect(auth.users.create({ ...ann, username: 'aNN' })).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(() => auth.users.update(id, { username: 'ANN' })).toThrow(
      'User "Ann" already exists. Choose another name.',
    );
    expect(auth.users.update(id, { username: 'BOB' }).username).toBe('BOB');
  });

  it('rehashes at the next login when the cost has changed', async () => {
    const home = makeTemporaryFolder();
    await openUsers(home, { ...fastPasswordCost, logN: 5 }).create(ann);
    const { auth, paths } = makeAuth({}, home);
    expect(readFileSync(paths.users, 'utf8')).toContain('ln=5');
    await auth.login('ann', ann.password);
    expect(readFileSync(paths.users, 'utf8')).toContain('ln=4');
    await auth.login('ann', ann.password);
    await expect(auth.login('ann', 'wrong horse')).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('last admin', () => {
  it('cannot be deleted or demoted', async () => {
    const { auth } = makeAuth();
    const { id } = await auth.users.create(ann);
    const other = await auth.users.create(bob);
    expect(() => auth.deleteUser(id)).toThrow(
      '"Ann" is the only admin and cannot be deleted. Make another user an admin first.',
    );
    expect(() => auth.users.update(id, { role: 'manager' })).toThrow(/must keep this role/);
    auth.users.update(other.id, { role: 'admin' });
    expect(auth.users.update(id, { role: 'manager' }).role).toBe('manager');
    expect(() => auth.deleteUser(other.id)).toThrow(/only admin/);
  });
});
