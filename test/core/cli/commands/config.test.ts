import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../../core/cli/command-context.ts';
import { runConfigPath, runConfigSet, runConfigShow } from '../../../../core/cli/commands/config.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { openMemoryChannel } from '../../../harness/home-and-command.ts';

function openContext(text: string | undefined, environment: Record<string, string> = {}) {
  const home = makeTemporaryFolder();
  if (text !== undefined) writeFileSync(path.join(home, 'config.yaml'), text);
  const [stdout, stderr] = [openMemoryChannel(), openMemoryChannel()];
  const context = { terminal: { stdout, stderr }, home, environment, cwd: home } as unknown as CommandContext;
  return { home, context, stdout, stderr };
}

const text = 'auth:\n  mode: builtin\n  token: {value: hush-hush}\ndebug: true\n';

test('config show prints effective values and their sources, without secrets', async () => {
  const { home, context, stdout, stderr } = openContext(text, { ENGINE_PORT: '9000' });
  const flags = { 'server.host': { name: '--host', text: 'localhost' } };
  expect(await runConfigShow(context, { format: 'text', flags })).toBe(0);
  const rows = stdout.text.split('\n').map((line) => line.split(/ {2,}/));
  const file = path.join(home, 'config.yaml');
  expect(rows).toEqual(
    expect.arrayContaining([
      ['KEY', 'VALUE', 'ORIGIN'],
      ['tz', '-', 'default'],
      ['server.host', 'localhost', 'option --host'],
      ['server.port', '9000', 'variable ENGINE_PORT'],
      ['auth.mode', 'builtin', `${file}:2`],
      ['auth.token.value', '********', `${file}:3`],
      ['auth.oidc.clientSecret', '-', 'default'],
      ['queues.config', '[]', 'default'],
    ]),
  );
  expect(stdout.text).not.toContain('hush-hush');
  expect(stderr.text).toContain(
    'Use the environment variable ENGINE_DEBUG instead. This setting has no effect. (debug)',
  );
});

test('config show as JSON prints the same', async () => {
  const { home, context, stdout } = openContext(text, { ENGINE_AUTH_OIDC_ROLE_MAPPING: 'staff=viewer' });
  await runConfigShow(context, { format: 'json', flags: {} });
  const shown = JSON.parse(stdout.text) as { values: { key: string }[] };
  expect(shown).toMatchObject({
    home,
    file: path.join(home, 'config.yaml'),
    exists: true,
    warnings: [{ line: 4 }],
  });
  const find = (key: string) => shown.values.find((value) => value.key === key);
  expect(find('auth.token.value')).toMatchObject({ value: '********', origin: { kind: 'file', line: 3 } });
  expect(find('auth.oidc.roleMapping')).toMatchObject({ value: { staff: 'viewer' } });
  expect(find('tz')).toEqual({ key: 'tz', value: null, origin: { kind: 'default' } });
  expect(stdout.text).not.toContain('hush-hush');
});

test('config path prints the location of the file, existing or default', async () => {
  const { home, context, stdout } = openContext(undefined);
  expect(await runConfigPath(context, { format: 'text' })).toBe(0);
  expect(stdout.text).toBe(`${path.join(home, 'config.yaml')}\n`);
  const named = openContext(undefined, { ENGINE_CONFIG: 'etc/engine.yaml' });
  await runConfigPath(named.context, { format: 'json' });
  expect(JSON.parse(named.stdout.text)).toEqual({
    path: path.join(named.home, 'etc', 'engine.yaml'),
    exists: false,
  });
});

test('config set and unset change the file, whose comments stay', async () => {
  const { home, context, stdout } = openContext('# Ours\nserver:\n  port: 80 # behind the proxy\n');
  const file = path.join(home, 'config.yaml');
  expect(await runConfigSet(context, { key: 'server.port', value: '9000' })).toBe(0);
  expect(stdout.text).toBe(`Set server.port in ${file}. Restart running hosts to apply it.\n`);
  await runConfigSet(context, { key: 'logFormat', value: 'json' });
  expect(readFileSync(file, 'utf8')).toBe(
    '# Ours\nserver:\n  port: 9000 # behind the proxy\nlogFormat: json\n',
  );
  await runConfigSet(context, { key: 'logFormat' });
  expect(readFileSync(file, 'utf8')).toBe('# Ours\nserver:\n  port: 9000 # behind the proxy\n');
});

test('config set rejects unknown keys, invalid values and values of a variable', async () => {
  const { context } = openContext(undefined, { ENGINE_TZ: 'UTC' });
  await expect(runConfigSet(context, { key: 'server.prot', value: '1' })).rejects.toThrow(
    'Unknown key "server.prot". Did you mean "server.port"?',
  );
  await expect(runConfigSet(context, { key: 'server.port', value: 'x' })).rejects.toThrow(
    '"server.port" must be a whole number from 0 to 65535.',
  );
  await expect(runConfigSet(context, { key: 'tz', value: 'UTC' })).rejects.toThrow(
    '"tz" is set by ENGINE_TZ.',
  );
});
