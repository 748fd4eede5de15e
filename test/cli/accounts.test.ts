import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn as spawnOnTerminal } from 'node-pty';
import { describe, expect, it } from 'vitest';
import {
  engineArguments,
  engineEnvironment,
  type EngineOutcome,
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

/** Runs a command with text on its standard input. */
function runWithInput(place: TestHome, args: readonly string[], input: string): Promise<EngineOutcome> {
  const child = spawn(process.execPath, engineArguments(args), {
    cwd: place.cwd,
    env: engineEnvironment(place),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => (written[stream] += text));
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...written }));
  });
}

const createAdmin = (place: TestHome): Promise<EngineOutcome> =>
  runWithInput(
    place,
    ['users', 'create', 'ada', '--role', 'admin', '--password-stdin'],
    'correct horse\nnot this\n',
  );

const readJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe('engine users', () => {
  it('creates, updates and deletes users, with the password from stdin', async () => {
    const place = makeTestHome();
    expect(await runEngine(place, ['users'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('engine users create NAME --role admin'),
    });
    expect(await createAdmin(place)).toMatchObject({
      code: 0,
      stdout: 'Created user ada (admin).\n',
      stderr: '',
    });
    expect(await createAdmin(place)).toMatchObject({ code: 4, stdout: '' });
    const { stdout } = await runEngine(place, ['users', 'list', '--format', 'json']);
    expect(readJson(stdout)).toMatchObject({ users: [{ username: 'ada', role: 'admin' }] });
    expect(stdout).not.toContain('horse');
    const renamed = await runEngine(place, ['users', 'update', 'ADA', '--name', 'eve', '--format', 'json']);
    expect(readJson(renamed.stdout)).toMatchObject({ username: 'eve', role: 'admin' });
    const reset = ['users', 'reset-password', 'eve', '--password-stdin'];
    expect((await runWithInput(place, reset, 'another horse')).code).toBe(0);
    expect(await runEngine(place, ['users', 'delete', 'eve'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('only admin'),
    });
    const another = ['users', 'create', 'bob', '--role', 'viewer', '--password-stdin'];
    expect((await runWithInput(place, another, 'long enough')).code).toBe(0);
    expect((await runEngine(place, ['users', 'delete', 'Bob'])).stdout).toBe('Deleted user bob.\n');
  });

  it.each([
    [['create', 'bob', '--role', 'viewer'], '', 2, '--password-stdin'],
    [['create', 'bob', '--role', 'viewer', '--password-stdin'], 'short\n', 2, '8 characters'],
    [['create', 'bob', '--role', 'viewer', '--password-stdin'], '', 2, '8 characters'],
    [['create', 'bob', '--role', 'boss'], '', 2, 'operator'],
    [['create', 'bob'], '', 2, '--role'],
    [['update', 'bob'], '', 2, '--name'],
    [['delete', 'bob'], '', 3, 'User "bob" not found.'],
  ])('rejects %j', async (args, input, code, message) => {
    const outcome = await runWithInput(makeTestHome(), ['users', ...args], input);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('prompts for the password twice on a terminal, without echo', async () => {
    const place = makeTestHome();
    const env = engineEnvironment(place) as Record<string, string>;
    const args = engineArguments(['users', 'create', 'ada', '--role', 'viewer']);
    const pty = spawnOnTerminal(process.execPath, args, { cwd: place.cwd, env, cols: 100, rows: 24 });
    let text = '';
    pty.onData((data) => (text += data));
    const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    await waitForText(() => text, /Password for ada: /);
    pty.write('correct horse\r');
    await waitForText(() => text, /Repeat password: /);
    pty.write('correct horse\r');
    expect(await ended).toBe(0);
    expect(text).toContain('Created user ada (viewer).');
    expect(text).not.toContain('horse');
  });
});

describe('engine tokens', () => {
  it('create a token that a server accepts within its role until it is deleted', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - echo\n');
    await createAdmin(place);
    const made = await runEngine(place, ['tokens', 'create', 'look', '--expires-in-days', '9']);
    expect(made.stdout).toMatch(/^swt_\S+\n$/);
    expect(readFileSync(join(place.home, 'data', 'tokens.json'), 'utf8')).not.toContain(made.stdout.trim());
    const server = startEngine(place, ['server', '--port', '0'], { AUTH_MODE: 'builtin' });
    await waitForText(server.stdout, /ready at \S+\n/);
    const elsewhere = makeTestHome();
    const variables = { ENGINE_SERVER: /ready at (\S+)/.exec(server.stdout())![1] };
    const token = ['--token', made.stdout.trim()];
    expect((await runEngine(elsewhere, ['dags'], variables)).code).toBe(6);
    expect((await runEngine(elsewhere, ['dags', ...token], variables)).stdout).toContain('etl');
    expect((await runEngine(elsewhere, ['start', 'etl', ...token], variables)).code).toBe(6);
    const { stdout } = await runEngine(place, ['tokens']);
    expect(stdout).toMatch(/look .*viewer/);
    expect((await runEngine(place, ['tokens', 'delete', 'look'])).code).toBe(0);
    expect((await runEngine(elsewhere, ['dags', ...token], variables)).code).toBe(6);
    expect((await runEngine(place, ['tokens', 'delete', 'look'])).code).toBe(3);
  });
});

describe('engine auth rotate-key', () => {
  it('ends the sessions of a running server, or leaves them until they expire', async () => {
    const place = makeTestHome();
    await createAdmin(place);
    const server = startEngine(place, ['server', '--port', '0'], { AUTH_MODE: 'builtin' });
    await waitForText(server.stdout, /ready at \S+\n/);
    const api = `${/ready at (\S+?)\/?\n/.exec(server.stdout())![1]}/api/v2`;
    const login = await fetch(`${api}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: 'correct horse' }),
    });
    const { token } = (await login.json()) as { token: string };
    const ask = async (): Promise<number> =>
      (await fetch(`${api}/dags`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    const rotate = async (...options: string[]) => {
      const { code, stdout } = await runEngine(place, ['auth', 'rotate-key', '--format', 'json', ...options]);
      expect(code).toBe(0);
      return readJson(stdout);
    };
    writeFileSync(join(place.home, 'config.yaml'), 'auth: { builtin: { tokenTtl: 2d } }\n');
    expect(await rotate()).toMatchObject({ kid: expect.stringMatching(/./), keepHours: 48 });
    const { keys } = readJson(readFileSync(join(place.home, 'data/auth.key'), 'utf8')) as {
      keys: { createdAt: number; retiresAt?: number }[];
    };
    expect(keys.map(({ createdAt, retiresAt }) => retiresAt === undefined || retiresAt > createdAt)).toEqual([
      true,
      true,
    ]);
    expect(await ask()).toBe(200);
    expect(await rotate('--keep-hours', '0')).toMatchObject({ keepHours: 0 });
    await expect.poll(ask).toBe(401);
  });
});
