import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type EngineOutcome,
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

/** A server on one workspace, and commands on another that only has its URL. */
async function openServer(): Promise<{
  readonly there: TestHome;
  readonly here: TestHome;
  run(...args: readonly string[]): Promise<EngineOutcome>;
  start(...args: readonly string[]): ReturnType<typeof startEngine>;
}> {
  const [there, here] = [makeTestHome(), makeTestHome()];
  saveDag(
    there,
    'etl',
    'name: etl-daily\nschedule: "0 0 1 1 *"\nsteps:\n  - name: load\n    command: echo "loaded $1 $X"\n',
  );
  const server = startEngine(there, ['server', '--port', '0']);
  await waitForText(server.stdout, /ready at \S+\n/);
  const url = /ready at (\S+)/.exec(server.stdout())![1];
  const variables = { ENGINE_SERVER: url };
  return {
    there,
    here,
    run: (...args) => runEngine(here, args, variables),
    start: (...args) => startEngine(here, args, variables),
  };
}

describe('commands through a server', () => {
  it('start a workflow of the server, by file name or name, and report its result', async () => {
    const { run } = await openServer();
    const started = await run('start', 'etl', '--format', 'json', '--', 'first "x"', "X=it's");
    expect(started.code).toBe(0);
    expect(JSON.parse(started.stdout)).toMatchObject({
      name: 'etl-daily',
      params: ['1=first "x"', "X=it's"],
    });
    expect((await run('logs', 'etl-daily', 'load', '--stream', 'stdout')).stdout).toBe(
      `loaded first "x" it's\n`,
    );
    expect((await run('status', 'etl')).stdout).toContain('succeeded');
    expect((await run('start', 'etl', '--from-run-id', 'latest', '-q')).code).toBe(0);
    expect(JSON.parse((await run('history', 'etl', '--format', 'json')).stdout).dagRuns).toHaveLength(2);
    expect((await run('retry', 'etl-daily', '--step', 'load', '-q')).code).toBe(0);
    expect(await run('start', 'elt')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Did you mean "etl"?'),
    });
  });

  it('warn about unknown parameters, as without a server', async () => {
    const { there, run } = await openServer();
    saveDag(there, 'greet', 'params: { WHO: x }\nsteps: ["true"]\n');
    const { code, stderr } = await run('start', 'greet', '--', 'WHOO=y');
    expect(code).toBe(0);
    expect(stderr).toContain('engine: warning: greet: Unknown parameter "WHOO". Did you mean "WHO"?');
    expect((await run('enqueue', 'greet', '-p', 'WHOO=y')).stderr).toContain('Unknown parameter "WHOO"');
  });

  it('send a local file, which keeps its name', async () => {
    const { here, run } = await openServer();
    writeFileSync(join(here.cwd, 'local.yaml'), 'steps:\n  - command: echo hello; exit 5\n');
    const { code, stderr } = await run('start', 'local.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('run local failed');
    expect((await run('logs', 'local.yaml')).stdout).toContain('hello');
    expect((await run('dry', 'local.yaml')).stdout).toContain('echo hello');
    expect(await run('validate', 'local.yaml', 'etl')).toMatchObject({ code: 0 });
    writeFileSync(join(here.cwd, 'wrong.yaml'), 'stepz: []\n');
    expect(await run('validate', 'wrong.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('wrong.yaml:1:1'),
    });
  });

  it('run a command there, with its exit code and output', async () => {
    const { run } = await openServer();
    const outcome = await run('exec', '-q', '--', 'sh', '-c', 'echo "$1"; exit 6', 'sh', "it's");
    expect(outcome).toMatchObject({ code: 6, stdout: "it's\n", stderr: '' });
  });

  it('explain in one line why a run for a worker is impossible', async () => {
    const { there, run } = await openServer();
    saveDag(there, 'train', 'workerSelector: { gpu: "yes" }\nsteps:\n  - echo\n');
    const started = await run('start', 'train', '-r', 'one');
    expect(started).toMatchObject({ code: 4, stdout: '' });
    expect(started.stderr).toContain('no worker matches gpu=yes: no workers have been set up in this home');
    expect((await run('exec', '--worker-label', 'gpu=1', '--', 'ls')).stderr).toContain(
      'no worker matches gpu=1',
    );
  });

  it('show, enqueue, dequeue, suspend', async () => {
    const { run } = await openServer();
    expect((await run('dags')).stdout).toMatch(/^etl /m);
    expect((await run('suspend', 'etl-daily')).stdout).toContain('Suspended the schedule of etl');
    expect((await run('enqueue', 'etl', '-r', 'one')).stdout).toContain('Queued run one of etl-daily');
    expect((await run('queues', 'items', 'etl-daily')).stdout).toContain('one');
    expect((await run('dequeue', 'etl-daily')).stdout).toContain('Removed run one of etl-daily from queue');
  });

  it('stop a run there on a signal', async () => {
    const { there, start, run } = await openServer();
    saveDag(there, 'long', 'steps:\n  - name: work\n    command: sleep 600\n');
    const engine = start('start', 'long');
    await waitForText(engine.stderr, /step work started/);
    engine.kill('SIGINT');
    expect((await engine.ended).code).toBe(130);
    expect((await run('status', 'long')).stdout).toContain('aborted');
  });

  it.each([
    [['backup'], '"engine backup" needs direct access to the home'],
    [['recover'], '"engine recover" needs direct access to the home'],
    [['migrate', 'history'], '"engine migrate history" needs direct access to the home'],
    [['exec', '--dotenv', 'some.env', '--', 'ls'], '--env'],
  ])('reject %j in one sentence', async (args, message) => {
    const outcome = await runEngine(makeTestHome(), args, { ENGINE_SERVER: 'http://127.0.0.1:9' });
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('report the missing credentials, and do not report valid files as invalid', async () => {
    const [there, here] = [makeTestHome(), makeTestHome()];
    const server = startEngine(there, ['server', '--port', '0'], { AUTH_MODE: 'builtin' });
    await waitForText(server.stdout, /ready at \S+\n/);
    const url = /ready at (\S+)/.exec(server.stdout())![1];
    for (const args of [['history'], ['validate', 'etl'], ['users']]) {
      const outcome = await runEngine(here, args, { ENGINE_SERVER: url });
      expect(outcome).toMatchObject({
        code: 6,
        stdout: '',
        stderr: expect.stringContaining('ENGINE_SERVER_TOKEN'),
      });
    }
  });

  it('accept only an absolute server path as default working directory', async () => {
    const { there, run } = await openServer();
    saveDag(there, 'where', 'steps:\n  - name: look\n    command: pwd\n');
    const started = await run('start', 'where', '--default-working-dir', there.cwd, '-q');
    expect(started.code).toBe(0);
    expect((await run('logs', 'where', 'look', '--stream', 'stdout')).stdout).toBe(`${there.cwd}\n`);
    expect((await run('enqueue', 'where', '--default-working-dir', there.cwd)).code).toBe(0);
    for (const command of ['start', 'enqueue', 'dry']) {
      expect(await run(command, 'where', '--default-working-dir', 'work')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('"work" is not absolute'),
      });
    }
  });

  it('send the base configuration of exec, which is a local file', async () => {
    const { here, run } = await openServer();
    writeFileSync(join(here.cwd, 'base.yaml'), 'env:\n  FROM_BASE: here\n');
    const outcome = await run('exec', '-q', '--base', 'base.yaml', '--', 'echo "$FROM_BASE"');
    expect(outcome).toMatchObject({ code: 0, stdout: 'here\n', stderr: '' });
    writeFileSync(join(here.cwd, 'base.yaml'), 'env: 5\n');
    expect(await run('exec', '--base', 'base.yaml', '--', 'true')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('base configuration is invalid'),
    });
  });

  it('rerun an executed run while another is active, unless --singleton forbids it', async () => {
    const { there, run } = await openServer();
    const spec = (word: string): string =>
      `maxActiveRuns: 2\nparams: WHO=nobody\nsteps:\n  - name: say\n    command: echo "${word} $WHO"; [ "$WHO" != slow ] || sleep 600\n`;
    saveDag(there, 'again', spec('first'));
    expect((await run('start', 'again', '-r', 'one', '-q', '--', 'WHO=me')).code).toBe(0);
    saveDag(there, 'again', spec('second'));
    expect((await run('enqueue', 'again', '-r', 'two')).code).toBe(0);
    const args = ['start', 'again', '--from-run-id', 'one', '-q', '--default-working-dir', there.cwd];
    expect((await run(...args, '-r', 'three')).code).toBe(0);
    expect((await run('logs', 'again', 'say', '--run-id', 'three', '--stream', 'stdout')).stdout).toBe(
      'first me\n',
    );
    expect(await run(...args, '--singleton')).toMatchObject({ code: 4 });
  });

  it('print the same as on the machine that has the home', async () => {
    const { there, run } = await openServer();
    saveDag(there, 'wrong', 'steps:\n  - command: echo\n    dependz: x\n');
    saveDag(there, 'warns', 'type: graph\nsteps:\n  - name: a\n    command: echo $NOBODY\n    dir: gone\n');
    await run('start', 'etl', '-r', 'one', '-q');
    for (const args of [
      ['dry', 'etl', '--', 'a b', 'X=1'],
      ['dry', '--name', 'other', 'etl'],
      ['dry', '--default-working-dir', there.cwd, 'warns'],
      ['dry', 'wrong'],
      ['validate', 'etl', 'wrong', 'warns'],
      ['history', 'etl'],
      ['status', 'etl'],
      ['dags'],
    ]) {
      for (const more of [[], ['--format', 'json']]) {
        const all = [args[0]!, ...more, ...args.slice(1)];
        const [local, remote] = [await runEngine(there, all), await run(...all)];
        expect({ words: all, ...remote }).toEqual({ words: all, ...local });
      }
    }
    // Some thirty sequential processes.
  }, 120_000);

  it('do not blame a file for an invalid base configuration', async () => {
    const { there, run } = await openServer();
    writeFileSync(join(there.home, 'base.yaml'), 'env: 5\n');
    expect(await run('validate', 'etl')).toEqual(await runEngine(there, ['validate', 'etl']));
    expect(await run('dry', 'etl')).toEqual(await runEngine(there, ['dry', 'etl']));
  });

  it('report when the server does not respond', async () => {
    const place = makeTestHome();
    const outcome = await runEngine(place, ['history', '--server', 'http://127.0.0.1:9']);
    expect(outcome).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('127.0.0.1:9') });
    expect(await runEngine(place, ['history', '--server', 'nonsense'])).toMatchObject({ code: 2 });
  });
});
