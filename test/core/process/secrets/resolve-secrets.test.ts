import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SecretContext } from '../../../../core/process/secrets/provider.ts';
import {
  findSecretValues,
  resolveSecrets,
  SecretError,
} from '../../../../core/process/secrets/resolve-secrets.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const secret = (provider: string, key: string, name = 'TOKEN') => ({ name, provider, key, options: {} });

function makeFacts(variables: SecretContext['variables'] = {}): SecretContext {
  const folder = makeTemporaryFolder();
  const [workingDir, fileDir] = [join(folder, 'work'), join(folder, 'dags')];
  for (const path of [workingDir, fileDir]) mkdirSync(path);
  return { variables: { HOME: folder, ...variables }, workingDir, fileDir };
}

async function refuse(provider: string, key: string, facts = makeFacts()): Promise<SecretError> {
  const cause: unknown = await resolveSecrets([secret(provider, key)], facts).catch((error) => error);
  expect(cause).toBeInstanceOf(SecretError);
  return cause as SecretError;
}

it('returns values by name', async () => {
  const facts = makeFacts({ A: 'one', B: ' two\n' });
  const values = await resolveSecrets([secret('env', 'A', 'FIRST'), secret('env', 'B', 'SECOND')], facts);
  expect(values).toEqual({ FIRST: 'one', SECOND: ' two\n' });
});

it('returns available values when others are unavailable', async () => {
  const wanted = [secret('env', 'A'), secret('env', 'NOT_SET'), secret('nowhere', 'A'), secret('file', 'no')];
  expect(await findSecretValues(wanted, makeFacts({ A: 'one' }))).toEqual(['one']);
});

describe('from a variable', () => {
  it('can be empty', async () => {
    expect(await resolveSecrets([secret('env', 'A')], makeFacts({ A: '' }))).toEqual({ TOKEN: '' });
  });

  it.each([['MISSING'], ['toString'], ['UNSET']])('must be set: %s', async (key) => {
    const error = await refuse('env', key, makeFacts({ UNSET: undefined }));
    expect(error.message).toBe(
      `secret TOKEN (provider env, key ${key}) has no value: the variable ${key} is not set; ` +
        'set it in the environment of the engine, in "env" or in a dotenv file',
    );
    expect(error.secret).toEqual({ name: 'TOKEN', provider: 'env', key });
  });
});

describe('from a file', () => {
  it('is the whole content, unchanged', async () => {
    const facts = makeFacts();
    const content = '\uFEFF line one \r\nzwei ü 🙂\n\n';
    writeFileSync(join(facts.workingDir, 'token'), content);
    expect(await resolveSecrets([secret('file', 'token')], facts)).toEqual({ TOKEN: content });
  });

  it('is searched in the working directory, then next to the workflow', async () => {
    const facts = makeFacts();
    const read = async () => (await resolveSecrets([secret('file', 'a/token')], facts)).TOKEN;
    for (const place of [facts.fileDir, facts.workingDir]) mkdirSync(join(place, 'a'));
    writeFileSync(join(facts.fileDir, 'a/token'), 'beside');
    expect(await read()).toBe('beside');
    writeFileSync(join(facts.workingDir, 'a/token'), 'working');
    expect(await read()).toBe('working');
  });

  it('can be absolute or in the home', async () => {
    const facts = makeFacts();
    const home = facts.variables.HOME!;
    writeFileSync(join(home, 'token'), 'value');
    for (const key of [join(home, 'token'), '~/token'])
      expect(await resolveSecrets([secret('file', key)], facts)).toEqual({ TOKEN: 'value' });
  });

  it('must exist, and the message lists every searched path', async () => {
    const facts = makeFacts();
    const { message } = await refuse('file', 'token', facts);
    const places = `${facts.workingDir}/token and ${facts.fileDir}/token`;
    expect(message).toContain(`(provider file, key token) has no value: file ${places} not found; create it`);
  });

  it('allows a mebibyte and not a byte more', async () => {
    const facts = makeFacts();
    writeFileSync(join(facts.workingDir, 'big'), 'x'.repeat(1024 * 1024));
    expect((await resolveSecrets([secret('file', 'big')], facts)).TOKEN).toHaveLength(1024 * 1024);
    writeFileSync(join(facts.workingDir, 'bigger'), 'x'.repeat(1024 * 1024 + 1));
    expect((await refuse('file', 'bigger', facts)).message).toContain('is larger than 1048576 bytes');
    expect((await refuse('file', '/dev/zero')).message).toContain('is not a regular file');
  });

  it('is neither a directory nor a pipe', async () => {
    const facts = makeFacts();
    execFileSync('mkfifo', [join(facts.workingDir, 'pipe')]);
    expect((await refuse('file', '.', facts)).message).toContain('is not a regular file');
    expect((await refuse('file', 'pipe', facts)).message).toContain('is not a regular file');
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x73, 0x33, 0xff])],
    ['a zero byte', Buffer.from('s3\0')],
  ])('is text, without %s', async (_what, content) => {
    const facts = makeFacts();
    writeFileSync(join(facts.workingDir, 'binary'), content);
    const { message } = await refuse('file', 'binary', facts);
    expect(message).toContain('is not UTF-8 text');
    expect(message).not.toContain('s3');
  });
});

it('knows its providers', async () => {
  for (const provider of ['bitwarden', 'constructor'])
    expect((await refuse(provider, 'x')).message).toContain(
      'unknown provider; use store, env, file, keychain, command or vault',
    );
});
