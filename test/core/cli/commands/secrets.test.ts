import { Readable } from 'node:stream';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildProgram } from '../../../../core/cli/program.ts';
import type { CommandContext } from '../../../../core/cli/command-context.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { openMemoryChannel } from '../../../harness/home-and-command.ts';

beforeEach(() => void vi.stubEnv('ENGINE_SECRETS_KEY', '0123456789abcdef'.repeat(3)));

function openCommand(engine: TestEngine) {
  const [stdout, stderr] = [openMemoryChannel(), openMemoryChannel()];
  const terminal = { stdout, stderr, interactive: false };
  const api = {
    api: engine.host.api,
    hasOrphans: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  const context = { terminal, caller: testCaller, openApi: () => Promise.resolve(api) };
  /** Runs `engine secrets …` with text on stdin. */
  const run = async (args: readonly string[], input = '', words: readonly string[] = []): Promise<void> => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(
      Readable.from([Buffer.from(input)]) as typeof process.stdin,
    );
    const hooks = {
      terminal,
      words,
      contextFor: () => context as unknown as CommandContext,
      setExitCode() {},
    };
    const argv = ['secrets', ...args];
    const program = await buildProgram(hooks, argv);
    await program.parseAsync([...argv, ...words], { from: 'user' });
  };
  return { run, stdout, stderr };
}

async function valueOf(engine: TestEngine, key: string): Promise<string> {
  const view = await engine.run(`
secrets: [{ name: V, provider: store, key: ${key} }]
steps: [{ name: a, command: 'printf %s "$V" | od -An -tx1 | tr -d " \\n"', output: HEX }]`);
  return Buffer.from(String(view.outputs['HEX']), 'hex').toString();
}

test('set stores what stdin has, without the line break that echo adds, and says where the key is', async () => {
  const engine = new TestEngine();
  const { run, stdout, stderr } = openCommand(engine);
  await run(['set', 'sales'], 'hunter2-value\n');
  expect(stdout.text).toBe('Stored secret sales.\n');
  expect(stderr.text).toContain('encrypted with the key in the variable ENGINE_SECRETS_KEY.');
  expect(await valueOf(engine, 'sales')).toBe('hunter2-value');
  await run(['set', 'sales'], '-----BEGIN\nabc\n-----END\n\n');
  expect(stdout.text).toContain('Replaced secret sales.\n');
  expect(await valueOf(engine, 'sales')).toBe('-----BEGIN\nabc\n-----END\n');
});

test('a value as an argument is rejected and not shown', async () => {
  const engine = new TestEngine();
  const { run } = openCommand(engine);
  const error: unknown = await run(['set', 'sales', 'hunter2-value'], 'piped').catch(
    (cause: unknown) => cause,
  );
  expect(error).toMatchObject({
    code: 'bad_request',
    message: 'A value cannot be an argument, because other processes can see it.',
  });
  expect(JSON.stringify(error)).not.toContain('hunter2');
  await expect(run(['set', 'sales'], 'piped', ['hunter2-value'])).rejects.toMatchObject({
    code: 'bad_request',
  });
  expect((await engine.call('secrets.list', {})).secrets).toEqual([]);
});

test('an empty or too long value is rejected with what to do', async () => {
  const { run } = openCommand(new TestEngine());
  await expect(run(['set', 'sales'], '\n')).rejects.toMatchObject({
    message: 'The value on stdin is empty.',
    details: { hint: 'Pipe the value: engine secrets set sales < FILE' },
  });
  await expect(run(['set', 'sales'], 'x'.repeat(70_000))).rejects.toThrow('larger than 64 KiB');
});

test('list prints names, never values, and delete warns of the workflows that need the secret', async () => {
  const engine = new TestEngine();
  const { run, stdout, stderr } = openCommand(engine);
  await run([]);
  expect(stderr.text).toContain('No secrets. Add the first with: engine secrets set NAME');
  await run(['set', 'sales'], 'hunter2-value');
  await engine.call('dags.create', {
    name: 'etl',
    spec: 'secrets: [{ name: TOKEN, provider: store, key: sales }]\nsteps: [echo hi]\n',
  });
  await run(['list']);
  expect(stdout.text).toMatch(/NAME +PROVIDER +CHANGED +USED BY\nsales +store .* etl\n/);
  await run(['list', '--format', 'json']);
  expect(stdout.text).not.toContain('hunter2');
  await expect(run(['delete', 'sale'])).rejects.toMatchObject({
    code: 'not_found',
    details: { nearest: 'sales' },
  });
  await run(['delete', 'sales']);
  expect(stdout.text).toContain('Deleted secret sales.\n');
  expect(stderr.text).toContain('warning: Workflows that use it will fail to start: etl');
});
