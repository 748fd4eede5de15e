import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  engineArguments,
  engineEnvironment,
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
} from '../harness/home-and-command.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

describe('engine', () => {
  it.each([['--version'], ['-V'], ['version']])('prints its version: %s', async (word) => {
    expect(await startEngine(makeTestHome(), [word]).ended).toMatchObject({
      code: 0,
      stdout: `engine ${version}\n`,
      stderr: '',
    });
  });

  it('prints its version as JSON', async () => {
    const { stdout } = await runEngine(makeTestHome(), ['version', '--format', 'json']);
    expect(JSON.parse(stdout)).toEqual({ version });
  });

  it.each([['--help'], ['-h'], ['help']])(
    'lists every command, the environment and the exit codes: %s',
    async (word) => {
      const { code, stdout, stderr } = await runEngine(makeTestHome(), [word]);
      for (const command of [
        'start',
        'stop',
        'server',
        'validate',
        'dry',
        'status',
        'history',
        'logs',
        'version',
      ]) {
        expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
      }
      expect(stdout).toContain('ENGINE_HOME');
      expect(stdout).toContain('Exit codes:');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it('shows the help of a command with its options, global options and examples', async () => {
    const { stdout } = await runEngine(makeTestHome(), ['start', '--help']);
    expect(stdout).toContain('Usage: engine start|run [options] [DAG] [-- params...]');
    expect(stdout).toContain('--default-working-dir <dir>');
    expect(stdout).toContain('--engine-home <dir>');
    expect(stdout).toContain('Examples:');
    const page = (await runEngine(makeTestHome(), ['help', 'start'])).stdout;
    expect(page.slice(0, stdout.length)).toBe(stdout);
    expect(page.slice(stdout.length)).toMatch(/^\nEnvironment:\n[^]+\nExit codes:\n/);
  });

  it('suggests the nearest option for an unknown one', async () => {
    const outcome = await runEngine(makeTestHome(), ['start', '--formt', 'json', 'x.yaml']);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toBe("engine: Unknown option '--formt'.\n  hint: Did you mean --format?\n");
  });

  it.each([
    [
      ['users', 'crate'],
      'Unknown command "crate" of "engine users".\n  hint: Did you mean "engine users create"?',
    ],
    [
      ['queues', 'xyz'],
      'Unknown command "xyz" of "engine queues".\n  hint: Run "engine queues --help" to see all subcommands.',
    ],
    [['users', 'create', 'dora'], 'hint: Run "engine users create --help" to see the usage.'],
    [['auth'], 'hint: Run "engine auth --help" to see all subcommands.'],
    [
      ['completion', 'tcsh'],
      "Value 'tcsh' is invalid for argument 'SHELL'. Allowed choices are bash, zsh, fish.",
    ],
    [['history', '--from', 'yesterday'], '--from: invalid time "yesterday". Use a time such as 2026-01-31,'],
    [['exec', 'ls', '-l'], 'hint: Put the command after --, for example: engine exec -- ls'],
    [['start', ''], 'hint: If the value comes from a shell variable, check that the variable is set.'],
    [['queues', 'items', ' '], 'Value of QUEUE is empty.'],
    [['history', '--engine-home', ''], 'Value of --engine-home is empty.'],
    [['--server', '', 'history'], 'Value of --server is empty.'],
    [['history', '--tag', 'etl', '--tag', ''], 'Value of --tag is empty.'],
    [['exec', '-E', 'A', '--', 'ls'], 'hint: Run "engine exec --help" to see the usage.'],
    [
      ['webhooks', 'receivers', 'create', 'a b'],
      'name: must be 1 to 64 characters: letters, digits, "_", "." and "-"',
    ],
    [
      ['workers', 'tokens', 'create', '--note', 'x'.repeat(201)],
      'note: must have at most 200 characters (has 201)',
    ],
  ])('suggests an alternative to %j, or where to look', async (args, message) => {
    const outcome = await runEngine(makeTestHome(), args);
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('documents defaults for a new receiver only, not for updates', async () => {
    const getHelp = async (name: string): Promise<string> =>
      (await runEngine(makeTestHome(), ['webhooks', 'receivers', name, '--help'])).stdout;
    expect(await getHelp('create')).toContain('Default: 26214400.');
    expect((await getHelp('update')).split('--format')[0]).not.toContain('Default');
  });

  it('says where a workflow was looked for, and suggests a file', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'hello.yaml'), 'steps: [echo hello]\n');
    const { home, cwd } = place;
    const errors = {
      hello: `No workflow named "hello" in ${home}/dags.\n  hint: Did you mean "hello.yaml"?\n`,
      'other.yaml': `Workflow file "other.yaml" not found in ${cwd} or ${home}/dags.\n`,
      [`${cwd}/other.yaml`]: `Workflow file "${cwd}/other.yaml" not found.\n`,
      [cwd]: `"${cwd}" is a directory. Specify a workflow file in it.\n`,
    };
    for (const [argument, message] of Object.entries(errors))
      expect(await runEngine(place, ['start', argument])).toMatchObject({
        code: 3,
        stderr: `engine: ${message}`,
      });
  });

  it('explains why a file cannot be read or written', async () => {
    const place = makeTestHome();
    symlinkSync('circle.yaml', join(place.cwd, 'circle.yaml'));
    const long = join(place.cwd, 'x'.repeat(250));
    expect(await runEngine(place, ['start', 'circle.yaml'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('too many levels of symbolic links; fix the links'),
    });
    expect(await runEngine(place, ['backup', long])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('the file name is too long.\n  hint: use a shorter name\n'),
    });
    expect(await runEngine(place, ['gateway', 'backup', long])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(': the file name is too long'),
    });
  });

  it('suggests the nearest command for an unknown one', async () => {
    const withArgument = await runEngine(makeTestHome(), ['stauts', 'etl']);
    expect(withArgument).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "engine status"?'),
    });
    const alone = await runEngine(makeTestHome(), ['histroy']);
    expect(alone).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Did you mean "engine history"?'),
    });
    const named = await runEngine(makeTestHome(), ['start', 'histroy']);
    expect(named).toMatchObject({ code: 3, stderr: expect.not.stringContaining('hint') });
  });

  it('runs commands under the names of other tools', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - echo hello\n');
    expect(await runEngine(place, ['run', 'etl', '-q'])).toMatchObject({ code: 0, stderr: '' });
    expect((await runEngine(place, ['ls'])).stdout).toMatch(/^etl /m);
    expect(await runEngine(place, ['ps'])).toMatchObject({ code: 0, stderr: 'No active runs.\n' });
    expect((await runEngine(place, ['help', 'rm'])).stdout).toContain('Usage: engine delete|rm ');
    expect((await runEngine(place, ['rm', 'etl', '--yes'])).stdout).toContain('Deleted etl');
    const all = (await runEngine(place, ['--help'])).stdout;
    for (const term of ['start|run', 'dags|ls', 'delete|rm', 'ps']) expect(all).toContain(`\n  ${term} `);
  });

  it.each([
    [['frobnicate', 'x'], 2, 'engine: Unknown command "frobnicate".\n  hint: Run "engine --help"'],
    [['frobnicate'], 3, 'engine: Unknown command "frobnicate" (and no workflow of that name).'],
    [['test', 'ci.yaml'], 2, 'engine: Unknown command "test".\n  hint: To check a workflow'],
    [['list'], 3, 'Use "engine ls" for workflows'],
  ])('names the right command for %j', async (args, code, message) => {
    const outcome = await runEngine(makeTestHome(), args);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('runs a workflow that has the name of an unknown command', async () => {
    const place = makeTestHome();
    saveDag(place, 'test', 'steps:\n  - echo hello\n');
    expect(await runEngine(place, ['test', '-q'])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['history', '--limit', 'many'],
    ['history', '--status', 'done'],
    ['start', 'x', '--format', 'xml'],
    ['start', 'x', '--run-id', 'not allowed'],
    ['start', 'x', '--name', 'a'.repeat(41)],
    ['server', '--port', '70000'],
    ['status'],
    ['status', 'a', 'b'],
  ])('fails with exit code 2: %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await runEngine(makeTestHome(), args.filter(Boolean));
    expect(stderr).toMatch(/^engine: .+\n {2}hint: .+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('prints usage errors as JSON with --format json', async () => {
    const { code, stdout, stderr } = await runEngine(makeTestHome(), [
      'start',
      '--format=json',
      '--nonsense',
    ]);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('--nonsense'),
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  });

  it('prefers --engine-home to ENGINE_HOME, anywhere on the line', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - echo\n');
    const other = { ENGINE_HOME: join(place.cwd, 'other') };
    expect((await runEngine(place, ['--engine-home', place.home, 'start', 'etl'], other)).code).toBe(0);
    expect((await runEngine(place, ['status', 'etl', '--engine-home', '../home'], other)).code).toBe(0);
  });

  it('reports an unusable home', async () => {
    const outcome = await runEngine(makeTestHome(), ['history', '--engine-home', '/dev/null/home']);
    expect(outcome).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('--engine-home') });
  });

  it('leaves a damaged database unchanged and says what to do', async () => {
    const place = makeTestHome({ isNew: true });
    const file = join(place.home, 'data', 'engine.db');
    mkdirSync(join(place.home, 'data'));
    writeFileSync(file, 'this is not a database'.repeat(100));
    const outcome = await runEngine(place, ['history']);
    expect(outcome).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(/engine\.db[^]*\n {2}hint: /),
    });
    expect(readFileSync(file, 'utf8')).toBe('this is not a database'.repeat(100));
  });

  it('uses colours when forced, and none with --no-color', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - echo\n');
    const forced = await runEngine(place, ['start', 'etl'], { FORCE_COLOR: '1' });
    expect(forced.stdout).toContain('\u001B[32m✔ succeeded');
    const refused = await runEngine(place, ['start', 'etl', '--no-color'], { FORCE_COLOR: '1' });
    expect(refused.stdout).not.toContain('\u001B');
  });
});

if (process.platform === 'linux') {
  describe('engine with Linux-only files', () => {
    it('reports that the home cannot be created', async () => {
      const outcome = await runEngine(makeTestHome(), ['history', '--engine-home', '/proc/none/home']);
      expect(outcome).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(
          'Cannot use the home /proc/none/home: /proc/none: no such file or folder; check the path',
        ),
      });
    });

    it('reports that the disk of its output is full', async () => {
      const place = makeTestHome();
      const line = engineArguments(['help']).map((word) => `'${word}'`);
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', `'${process.execPath}' ${line.join(' ')} > /dev/full`],
        {
          env: engineEnvironment(place),
          encoding: 'utf8',
          timeout: 25_000,
        },
      );
      expect(stderr).toMatch(/^engine: Some output could not be written: ENOSPC/m);
      expect(status).toBe(5);
    });
  });
}
