import { Readable } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildProgram } from '../../../../core/cli/program.ts';
import type { CommandContext } from '../../../../core/cli/command-context.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { openMemoryChannel } from '../../../harness/home-and-command.ts';

beforeEach(() => void vi.stubEnv('ENGINE_SECRETS_KEY', '0123456789abcdef'.repeat(3)));

/** Returns a function that runs `engine …` with text on stdin. */
function openCommand(engine: TestEngine) {
  const [stdout, stderr] = [openMemoryChannel(), openMemoryChannel()];
  const terminal = { stdout, stderr, interactive: false };
  const api = {
    api: engine.host.api,
    hasOrphans: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  const context = { terminal, caller: testCaller, openApi: () => Promise.resolve(api) };
  const run = async (argv: readonly string[], input = ''): Promise<void> => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(
      Readable.from([Buffer.from(input)]) as typeof process.stdin,
    );
    const hooks = {
      ...{ terminal, words: [], contextFor: () => context as unknown as CommandContext },
      setExitCode() {},
    };
    await (await buildProgram(hooks, [...argv])).parseAsync([...argv], { from: 'user' });
  };
  return { run, stdout, stderr };
}

test('a channel reads fields from stored secrets, and the others from stdin', async () => {
  const engine = new TestEngine();
  const { run, stdout, stderr } = openCommand(engine);
  await engine.call('secrets.set', { name: 'hook', value: 'https://example.com/hook' });
  await engine.call('secrets.set', { name: 'auth', value: 'Bearer 1' });
  const create = ['notify', 'channels', 'create'];
  await run([...create, 'ops', '--kind', 'url', '--secret', 'hook,authorization=auth']);
  expect(stdout.text).toContain('Created channel ops (url: secret hook).');
  await run(
    [...create, 'other', '--kind', 'url', '--secret', 'authorization=auth', '--secret-stdin'],
    'https://example.com/other\n',
  );
  await run(['notify', 'channels', 'update', 'ops', '--secret', 'authorization=']);
  const { channels } = await engine.call('channels.list', {});
  expect(channels.map(({ address, secrets }) => [address, secrets])).toEqual([
    ['secret hook', { url: 'hook' }],
    ['https://example.com/…', { authorization: 'auth' }],
  ]);
  await run(['secrets']);
  expect(stdout.text).toMatch(/auth +store .* channel other\n/);
  await run(['secrets', 'delete', 'hook']);
  expect(stderr.text).toContain('warning: Notification channels that use it cannot send: ops');
});

test('a stored secret that does not fit the channel is rejected', async () => {
  const { run } = openCommand(new TestEngine());
  const create = ['notify', 'channels', 'create', 'ops', '--kind'];
  await expect(run([...create, 'slack', '--secret', 'token=x'])).rejects.toThrow(
    '--secret token=x: a slack channel has the secrets url.',
  );
  await expect(run([...create, 'desktop', '--secret', 'x'])).rejects.toThrow(
    '--secret x: a desktop channel has no secrets.',
  );
  await expect(run([...create, 'slack', '--secret', 'hook'])).rejects.toThrow(
    'secrets.url: there is no stored secret "hook". Add it with "engine secrets set hook".',
  );
});
