import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SecretContext } from '../../../../core/process/secrets/provider.ts';
import { resolveSecrets } from '../../../../core/process/secrets/resolve-secrets.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { TestEngine } from '../../../harness/engine.ts';

async function read(key: string, more: Partial<SecretContext> = {}, options: Record<string, string> = {}) {
  const workingDir = makeTemporaryFolder();
  const variables = { PATH: process.env['PATH'], ...more.variables };
  const context = { workingDir, fileDir: workingDir, ...more, variables };
  const values = await resolveSecrets([{ name: 'TOKEN', provider: 'command', key, options }], context);
  return values['TOKEN'];
}

describe.skipIf(process.platform === 'win32')('a secret from a command', () => {
  it('is its output without the last line breaks', async () => {
    expect(await read(String.raw`printf 'line 1\nline 2\n\n'`)).toBe('line 1\nline 2');
  });

  it('comes from a program without a shell, unless one is requested', async () => {
    expect(await read('echo $HOME "a b" | cat')).toBe('$HOME a b | cat');
    expect(await read('echo "$WORD" | tr a b', { variables: { WORD: 'aa' } }, { shell: 'true' })).toBe('bb');
  });

  it('sees the variables of the engine without the secrets of the server', async () => {
    const variables = { OP_TOKEN: 'op', ENGINE_SECRETS_KEY: 'key of the store' };
    expect(await read('sh -c "echo [$OP_TOKEN$ENGINE_SECRETS_KEY]"', { variables })).toBe('[op]');
  });

  it.each([
    ['no-such-program x', /no-such-program/],
    [
      "sh -c 'echo hunter2-value; echo cannot decrypt hunter2-value >&2; exit 3'",
      /^(?!.*hunter2).*exit code 3: cannot decrypt \*{7}$/,
    ],
    ['true', /the command printed nothing/],
    ['head -c 2000000 /dev/zero', /printed more than 1048576 bytes/],
    [String.raw`printf 'a\0b'`, /printed a NUL byte/],
  ])('is rejected, without its value: %s', async (key, message) => {
    const error: unknown = await read(key).catch((cause: unknown) => cause);
    expect((error as Error).message.split('has no value: ')[1]).toMatch(message);
  });

  it('must arrive within ten seconds', async () => {
    const clock = new FakeClock();
    const workingDir = makeTemporaryFolder();
    const started = path.join(workingDir, 'started');
    const result = read(`sh -c 'echo $$ > ${started}; sleep 600'`, { workingDir, clock }).catch(String);
    await until(() => readFileSync(started, { encoding: 'utf8', flag: 'a+' }).endsWith('\n'));
    clock.advance(10_000);
    expect(await result).toContain('the command took longer than 10 s');
    const pid = Number(readFileSync(started, 'utf8'));
    await until(() => !isAlive(pid));
  });

  it('reaches a run and is masked; a dry run does not run the command', async () => {
    const value = path.join(makeTemporaryFolder(), 'value');
    writeFileSync(value, 'hunter2-value');
    const spec = `
secrets: [{ name: TOKEN, provider: command, key: "cat ${value}" }]
steps: [{ name: show, command: 'echo "it is $TOKEN"', output: SHOWN }]`;
    const engine = new TestEngine();
    expect((await engine.run(spec)).outputs).toEqual({ SHOWN: 'it is *******' });
    writeFileSync(value, 'hunter2-other');
    const plan = JSON.stringify(await engine.call('runs.dry', { spec }));
    expect(plan).not.toContain('hunter2');
    expect(plan).toContain('only resolved at run time: it comes from a command');
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
