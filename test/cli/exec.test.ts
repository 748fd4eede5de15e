import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
} from '../harness/home-and-command.ts';

describe('engine exec', () => {
  it('runs a command with its arguments unchanged, and shows its output', async () => {
    const place = makeTestHome();
    const args = ['a b', '$HOME `id` "\'', 'two\nlines', '', 'K=v', '--', '-q', 'é🚲'];
    const { code, stdout, stderr } = await runEngine(place, ['exec', '--', 'printf', '%s|', ...args]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: args.map((word) => `${word}|`).join('') });
    expect(stderr).toMatch(/^engine: run \S+ of exec-printf succeeded\n$/);
  });

  it('stores the run: history, status and logs show it', async () => {
    const place = makeTestHome();
    await runEngine(place, ['exec', '-r', 'one', '-N', 'nightly', '--', 'echo', 'done well']);
    const { json } = await runForJson(place, ['status', 'nightly']);
    expect(json).toMatchObject({ dagRunId: 'one', params: ['1=echo', '2=done well'] });
    const logs = await runEngine(place, ['logs', 'nightly', 'main', '--stream', 'stdout']);
    expect(logs.stdout).toBe('done well\n');
    const again = await runEngine(place, ['exec', '-r', 'one', '-N', 'nightly', '--', 'echo']);
    expect(again).toMatchObject({ code: 4, stdout: '' });
  });

  it.each([
    ['exit 7', 7],
    ['kill -KILL $$', 137],
    ['true; echo; echo', 0],
  ])('exits like its command: %s with %i', async (text, code) => {
    expect(await runEngine(makeTestHome(), ['exec', '-q', '--', text])).toMatchObject({ code });
  });

  it('fails and names the command that could not be started', async () => {
    const { code, stderr } = await runEngine(makeTestHome(), ['exec', '--', '/no/such/program', 'x']);
    expect(code).toBe(1);
    expect(stderr).toContain('/no/such/program');
  });

  it('separates stdout and stderr, and streams them', async () => {
    const place = makeTestHome();
    const text = 'echo begun; echo careful >&2; while [ ! -e go ]; do sleep 0.02; done; echo ended';
    const engine = startEngine(place, ['exec', '-q', '--', text]);
    await waitForText(engine.stdout, /^begun\n$/);
    await waitForText(engine.stderr, /^careful\n$/);
    writeFileSync(join(place.cwd, 'go'), '');
    expect(await engine.ended).toMatchObject({ code: 0, stdout: 'begun\nended\n', stderr: 'careful\n' });
  });

  it('sets variables, working directory, shell and base configuration', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'some.env'), 'FROM_FILE=file\nBOTH=file\n');
    writeFileSync(join(place.cwd, 'base.yaml'), 'env:\n  FROM_BASE: base\n');
    const options = ['-E', 'BOTH=$HOME', '--dotenv', 'some.env', '--base', 'base.yaml', '--workdir', '..'];
    const text = 'echo "$FROM_BASE $FROM_FILE $BOTH ${PWD##*/}" "${BASH_VERSION:+bash}"';
    const outcome = await runEngine(place, ['exec', '-q', ...options, '--shell', 'bash', '--', text]);
    const folder = join(place.cwd, '..').split('/').at(-1);
    expect(outcome).toMatchObject({ code: 0, stdout: `base ******* $HOME ${folder} bash\n`, stderr: '' });
  });

  it('reads all variable files: later files override earlier ones, --env overrides all', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'one.env'), 'ROOT=/srv\nMODE=one\nBOTH=one\n');
    writeFileSync(join(place.cwd, 'two.env'), "DATA=${ROOT}/data\nMODE=two\nBOTH=two\nRAW='$ROOT `id`'\n");
    writeFileSync(join(place.cwd, '.env'), 'NOT_NAMED=read\n');
    const args = ['--dotenv', 'one.env', '--dotenv', 'two.env', '-E', 'BOTH=mine', '--format', 'json'];
    const text = 'echo "$DATA|$MODE|$BOTH|$RAW|$NOT_NAMED"';
    const started = await runEngine(place, ['exec', '-r', 'one', ...args, '--', text]);
    expect(JSON.parse(started.stdout)).toMatchObject({ status: 'succeeded' });
    const { stdout } = await runEngine(place, ['logs', 'exec-echo', 'main', '--stream', 'stdout']);
    // Values are masked, except those too short to be secrets.
    expect(stdout).toBe('*******|two|mine|*******|\n');
    const seen = `${text} > seen`;
    await runEngine(place, ['exec', '-q', '--dotenv', 'one.env', '--dotenv', 'two.env', '--', seen]);
    expect(readFileSync(join(place.cwd, 'seen'), 'utf8')).toBe('/srv/data|two|two|$ROOT `id`|\n');
    const status = await runForJson(place, ['status', 'exec-echo', '--run-id', 'one']);
    expect(status.json.params).toEqual(['BOTH=mine']);
    writeFileSync(join(place.cwd, 'two.env'), Buffer.from([0xff, 0x41]));
    expect(await runEngine(place, ['exec', '--dotenv', 'two.env', '--', 'ls'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not valid UTF-8\. Save it in UTF-8 encoding/),
    });
  });

  it('does not store values of a variable file: a retry reads the file again', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'some.env'), 'TOKEN=hush-hush-1\n');
    const args = ['exec', '-q', '-r', 'one', '--dotenv', 'some.env', '--'];
    const outcome = await runEngine(place, [...args, 'echo "$TOKEN"; [ ${#TOKEN} = 12 ]']);
    expect(outcome).toMatchObject({ code: 1, stdout: '*******\n' });
    for (const command of ['status', 'history', 'logs'])
      for (const format of ['text', 'json'])
        expect((await runEngine(place, [command, 'exec-echo', '--format', format])).stdout).not.toContain(
          'hush',
        );
    for (const name of readdirSync(join(place.home, 'data')))
      expect(readFileSync(join(place.home, 'data', name), 'latin1')).not.toContain('hush-hush');
    writeFileSync(join(place.cwd, 'some.env'), 'TOKEN=hush-hush-12\n');
    expect((await runEngine(place, ['retry', '--name', 'exec-echo', '-q'])).code).toBe(0);
  });

  it('shows the worker selector it waits for', async () => {
    const place = makeTestHome();
    await runEngine(place, ['workers', 'tokens', 'create']);
    const waiting = startEngine(place, ['exec', '--worker-label', 'gpu=yes', '--', 'true']);
    await waitForText(waiting.stderr, /^engine: waiting: no worker matches gpu=yes/m);
    waiting.kill('SIGINT');
    expect((await waiting.ended).code).toBe(130);
  });

  it('rejects a command for a worker when no workers are configured', async () => {
    const place = makeTestHome();
    const args = ['exec', '--worker-label', 'gpu=yes', '--worker-label', 'region=eu', '-r', 'one'];
    expect(await runEngine(place, [...args, '--', 'true'])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining(
        'no worker matches gpu=yes, region=eu: no workers have been set up in this home.',
      ),
    });
  });

  it('prints a single object with --format json', async () => {
    const { code, json } = await runForJson(makeTestHome(), ['exec', '--', 'sh', '-c', 'echo out; exit 3']);
    expect(code).toBe(3);
    expect(json).toMatchObject({ name: 'exec-sh', status: 'failed', steps: [{ name: 'main', exitCode: 3 }] });
  });

  it('queues on request, and rejects a second run with --singleton', async () => {
    const place = makeTestHome();
    const args = ['exec', '--queue', 'slow', '--singleton', '--', 'true'];
    expect(await runEngine(place, args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'of exec-true: no scheduler is running: start the app or "engine scheduler"',
      ),
    });
    expect(await runEngine(place, args)).toMatchObject({ code: 4, stdout: '' });
    const { stdout } = await runEngine(place, ['queues', 'items', 'slow', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ queue: 'slow', items: [{ name: 'exec-true' }] });
  });

  it('stops its command gracefully on a signal', async () => {
    const engine = startEngine(makeTestHome(), [
      'exec',
      '--',
      "trap 'echo bye; exit 9' TERM; echo up; while :; do sleep 0.05; done",
    ]);
    await waitForText(engine.stdout, /up/);
    engine.kill('SIGTERM');
    expect(await engine.ended).toMatchObject({ code: 143, stdout: 'up\nbye\n' });
  });

  it.each([
    [['exec'], 2, 'No command specified.'],
    [['exec', '--', ' '], 2, 'No command specified.'],
    [['exec', 'ls', '-l'], 2, '-l'],
    [['exec', 'ls'], 2, 'engine exec -- ls'],
    [['exec', '-E', 'X', '--', 'ls'], 2, 'NAME=value'],
    [['exec', '--dotenv', '.', '--', 'ls'], 2, 'is not a file'],
    [['exec', '--dotenv', 'gone.env', '--', 'ls'], 3, 'dotenv file'],
    [['exec', '--base', 'gone.yaml', '--', 'ls'], 3, 'base configuration'],
    [['exec', '--workdir', 'gone', '--', 'ls'], 3, 'working directory'],
  ])('rejects %j', async (args, code, message) => {
    const outcome = await runEngine(makeTestHome(), args);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('options of other commands', () => {
  it('stop --all stops every run of a workflow', async () => {
    const place = makeTestHome();
    saveDag(place, 'long', 'maxActiveRuns: -1\nsteps:\n  - name: work\n    command: sleep 600\n');
    const runs = ['a', 'b'].map((id) => startEngine(place, ['start', 'long', '-r', id]));
    for (const run of runs) await waitForText(run.stderr, /step work started/);
    await runEngine(place, ['enqueue', 'long', '-r', 'c']);
    const { json } = await runForJson(place, ['stop', '--all', '--wait', 'long']);
    const ids = json.dagRuns.map(({ dagRunId, status }) => `${dagRunId} ${status}`);
    expect(ids.sort()).toEqual(['a aborted', 'b aborted', 'c aborted']);
    for (const run of runs) expect((await run.ended).code).toBe(1);
    expect(await runEngine(place, ['stop', '--all', 'long'])).toMatchObject({
      code: 0,
      stdout: 'No active runs of long.\n',
    });
  });

  it('retry --name finds a run by its name at start', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - name: once\n    command: "[ -e go ]"\n');
    expect((await runEngine(place, ['start', 'etl', '--name', 'etl-north'])).code).toBe(1);
    writeFileSync(join(place.home, 'dags', 'go'), '');
    expect((await runEngine(place, ['retry', '--name', 'etl-north', '-q'])).code).toBe(0);
    expect(await runEngine(place, ['retry'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('history filters by time', async () => {
    const place = makeTestHome();
    await runEngine(place, ['exec', '--', 'true']);
    expect((await runForJson(place, ['history', '--from', '2020-01-01'])).json.dagRuns).toHaveLength(1);
    expect((await runForJson(place, ['history', '--to', '2020-01-01'])).json.dagRuns).toEqual([]);
  });

  it('a command group requires a subcommand', async () => {
    expect(await runEngine(makeTestHome(), ['auth'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('hint: Run "engine auth --help" to see all subcommands.'),
    });
  });
});
