import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  textAppears,
} from '../harness/engine-command.ts';

describe('engine exec', () => {
  it('runs a command with its arguments as they are, and shows what it writes', async () => {
    const place = makeTestHome();
    const args = ['a b', '$HOME `id` "\'', 'two\nlines', '', 'K=v', '--', '-q', 'é🚲'];
    const { code, stdout, stderr } = await runEngine(place, ['exec', '--', 'printf', '%s|', ...args]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: args.map((word) => `${word}|`).join('') });
    expect(stderr).toMatch(/^engine: run \S+ of exec-printf succeeded\n$/);
  });

  it('keeps the run: history, status and logs know it', async () => {
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
  ])('ends as its command does: %s with %i', async (text, code) => {
    expect(await runEngine(makeTestHome(), ['exec', '-q', '--', text])).toMatchObject({ code });
  });

  it('says what could not be started, and fails', async () => {
    const { code, stderr } = await runEngine(makeTestHome(), ['exec', '--', '/no/such/program', 'x']);
    expect(code).toBe(1);
    expect(stderr).toContain('/no/such/program');
  });

  it('keeps stdout and stderr apart, and shows them while it runs', async () => {
    const place = makeTestHome();
    const text = 'echo begun; echo careful >&2; while [ ! -e go ]; do sleep 0.02; done; echo ended';
    const engine = startEngine(place, ['exec', '-q', '--', text]);
    await textAppears(engine.stdout, /^begun\n$/);
    await textAppears(engine.stderr, /^careful\n$/);
    writeFileSync(join(place.cwd, 'go'), '');
    expect(await engine.ended).toMatchObject({ code: 0, stdout: 'begun\nended\n', stderr: 'careful\n' });
  });

  it('controls variables, folder, shell and base', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'some.env'), 'FROM_FILE=file\nBOTH=file\n');
    writeFileSync(join(place.cwd, 'base.yaml'), 'env:\n  FROM_BASE: base\n');
    const options = ['-E', 'BOTH=$HOME', '--dotenv', 'some.env', '--base', 'base.yaml', '--workdir', '..'];
    const text = 'echo "$FROM_BASE $FROM_FILE $BOTH ${PWD##*/}" "${BASH_VERSION:+bash}"';
    const outcome = await runEngine(place, ['exec', '-q', ...options, '--shell', 'bash', '--', text]);
    const folder = join(place.cwd, '..').split('/').at(-1);
    expect(outcome).toMatchObject({ code: 0, stdout: `base ******* $HOME ${folder} bash\n`, stderr: '' });
  });

  it('reads all files of variables that are named: a later one counts before, --env before all', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'one.env'), 'ROOT=/srv\nMODE=one\nBOTH=one\n');
    writeFileSync(join(place.cwd, 'two.env'), "DATA=${ROOT}/data\nMODE=two\nBOTH=two\nRAW='$ROOT `id`'\n");
    writeFileSync(join(place.cwd, '.env'), 'NOT_NAMED=read\n');
    const args = ['--dotenv', 'one.env', '--dotenv', 'two.env', '-E', 'BOTH=mine', '--format', 'json'];
    const text = 'echo "$DATA|$MODE|$BOTH|$RAW|$NOT_NAMED"';
    const started = await runEngine(place, ['exec', '-r', 'one', ...args, '--', text]);
    expect(JSON.parse(started.stdout)).toMatchObject({ status: 'succeeded' });
    const { stdout } = await runEngine(place, ['logs', 'exec-echo', 'main', '--stream', 'stdout']);
    // Values are hidden, but for those that are too short to be secrets.
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

  it('keeps no value of a file of variables: a retry reads the file again', async () => {
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

  it('says for which worker it waits', async () => {
    const place = makeTestHome();
    await runEngine(place, ['workers', 'tokens', 'create']);
    const waiting = startEngine(place, ['exec', '--worker-label', 'gpu=yes', '--', 'true']);
    await textAppears(waiting.stderr, /^engine: waiting: no worker matches gpu=yes/m);
    waiting.kill('SIGINT');
    expect((await waiting.ended).code).toBe(130);
  });

  it('refuses a command for a worker where nothing has been set up for any', async () => {
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

  it('writes one object with --format json, and nothing beside it', async () => {
    const { code, json } = await runForJson(makeTestHome(), ['exec', '--', 'sh', '-c', 'echo out; exit 3']);
    expect(code).toBe(3);
    expect(json).toMatchObject({ name: 'exec-sh', status: 'failed', steps: [{ name: 'main', exitCode: 3 }] });
  });

  it('waits in a queue on demand, and refuses a second one with --singleton', async () => {
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

  it('stops its command in order on a signal', async () => {
    const engine = startEngine(makeTestHome(), [
      'exec',
      '--',
      "trap 'echo bye; exit 9' TERM; echo up; while :; do sleep 0.05; done",
    ]);
    await textAppears(engine.stdout, /up/);
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
  ])('refuses %j', async (args, code, message) => {
    const outcome = await runEngine(makeTestHome(), args);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('what other commands gained', () => {
  it('stop --all stops every run of a workflow', async () => {
    const place = makeTestHome();
    saveDag(place, 'long', 'maxActiveRuns: -1\nsteps:\n  - name: work\n    command: sleep 600\n');
    const runs = ['a', 'b'].map((id) => startEngine(place, ['start', 'long', '-r', id]));
    for (const run of runs) await textAppears(run.stderr, /step work started/);
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

  it('retry --name finds a run by the name it was started under', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - name: once\n    command: "[ -e go ]"\n');
    expect((await runEngine(place, ['start', 'etl', '--name', 'etl-north'])).code).toBe(1);
    writeFileSync(join(place.home, 'dags', 'go'), '');
    expect((await runEngine(place, ['retry', '--name', 'etl-north', '-q'])).code).toBe(0);
    expect(await runEngine(place, ['retry'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('history narrows to a time', async () => {
    const place = makeTestHome();
    await runEngine(place, ['exec', '--', 'true']);
    expect((await runForJson(place, ['history', '--from', '2020-01-01'])).json.dagRuns).toHaveLength(1);
    expect((await runForJson(place, ['history', '--to', '2020-01-01'])).json.dagRuns).toEqual([]);
  });

  it('a command that has commands of its own wants one of them', async () => {
    expect(await runEngine(makeTestHome(), ['auth'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('hint: Run "engine auth --help" to see all subcommands.'),
    });
  });
});
