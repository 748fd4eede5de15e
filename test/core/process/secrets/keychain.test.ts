import { describe, expect, it } from 'vitest';
import { resolveSecrets } from '../../../../core/process/secrets/resolve-secrets.ts';
import { TestEngine } from '../../../harness/engine.ts';

const secret = { name: 'TOKEN', provider: 'keychain', key: 'db', options: {} };
const facts = { variables: {}, workingDir: '/', fileDir: '/' };

describe('keychain provider', () => {
  it('reads the keychain of the desktop app', async () => {
    const keychain = { read: (key: string) => Promise.resolve(key === 'db' ? 'hunter2' : undefined) };
    expect(await resolveSecrets([secret], { ...facts, keychain })).toEqual({ TOKEN: 'hunter2' });
    await expect(resolveSecrets([{ ...secret, key: 'none' }], { ...facts, keychain })).rejects.toThrow(
      'keychain entry none not found; add it in the desktop app',
    );
  });

  it('is rejected without the desktop app', async () => {
    await expect(resolveSecrets([secret], facts)).rejects.toThrow(
      'secret TOKEN (provider keychain, key db) has no value: the keychain is only available in the desktop app',
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
    expect(run.error).toContain('start the workflow there');
    expect(run.steps[0]!.status).toBe('not_started');
  });
});
