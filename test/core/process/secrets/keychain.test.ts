import { describe, expect, it } from 'vitest';
import { resolveSecrets } from '../../../../core/process/secrets/resolve-secrets.ts';
import { keychainFile, writeKeychainFile } from '../../../../core/process/secrets/keychain-file.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { TestEngine } from '../../../harness/engine.ts';

const secret = { name: 'TOKEN', provider: 'keychain', key: 'db', options: {} };
const context = { variables: {}, workingDir: '/', fileDir: '/' };

describe('keychain provider', () => {
  it('reads the keychain of the desktop app', async () => {
    const keychain = { read: (key: string) => Promise.resolve(key === 'db' ? 'hunter2' : undefined) };
    expect(await resolveSecrets([secret], { ...context, keychain })).toEqual({ TOKEN: 'hunter2' });
    await expect(resolveSecrets([{ ...secret, key: 'none' }], { ...context, keychain })).rejects.toThrow(
      'keychain entry none not found; add it with "engine secrets set none" or in the desktop app (Secrets)',
    );
  });

  it('reads the stored secret that an entry was moved to, on every host', async () => {
    const store = () => Promise.resolve({ get: () => Promise.resolve('moved') });
    expect(await resolveSecrets([secret], { ...context, store })).toEqual({ TOKEN: 'moved' });
  });

  it('is rejected without the desktop app while only its keychain has the entry', async () => {
    const home = makeTemporaryFolder();
    writeKeychainFile(keychainFile(home), { db: { sealed: 'x', changedAt: '2026-01-01T00:00:00.000Z' } });
    const run = await new TestEngine({ home }).run(spec);
    expect(run.error).toContain(
      'secret TOKEN (provider keychain, key db) has no value: keychain entry db is only available in the desktop app; start the app once',
    );
  });

  const spec = `secrets:
  - { name: TOKEN, provider: keychain, key: db }
steps:
  - name: show
    command: echo "it is $TOKEN"
    output: SHOWN
`;

  it('reaches the steps of a run, and is masked in their output', async () => {
    const keychain = { read: () => Promise.resolve('hunter2') };
    const run = await new TestEngine({ keychain }).run(spec);
    expect(run.status).toBe('succeeded');
    expect(run.outputs).toEqual({ SHOWN: 'it is *******' });
  });

  it('fails a run without it before any step', async () => {
    const run = await new TestEngine().run(spec);
    expect(run.status).toBe('failed');
    expect(run.error).toContain('keychain entry db not found');
    expect(run.steps[0]!.status).toBe('not_started');
  });
});
