import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { TestEngine, stdoutOf } from '../../harness/engine.ts';
import { eventsOf } from './run-harness.ts';

describe('dotenv', () => {
  test('overrides env, and is overridden by parameters; only its variables reach steps', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'param.env'), 'A=file\nB="from ${BASE}"\nP=file\n');
    const view = await new TestEngine().run(
      `
dotenv: $P.env
env: { A: env, BASE: base }
params: { P: param }
steps: ['echo "$A|$B|$P"']`,
      { defaultWorkingDir: folder },
    );
    expect(stdoutOf(view, view.steps[0]!.name)).toBe('file|from base|param\n');
  });

  test('that cannot be read fails the run with its path', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'bad.env'), Buffer.from([0x41, 0x3d, 0xff, 0xfe]));
    const view = await new TestEngine().run('dotenv: [bad.env]\nsteps: ["true"]', {
      defaultWorkingDir: folder,
    });
    expect(view).toMatchObject({ status: 'failed', error: expect.stringContaining('bad.env') });
  });
});

describe('stdout and stderr of a step', () => {
  test('get a copy of the streams, appended to existing content', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'all.log'), 'before\n');
    const view = await new TestEngine().run(
      `
steps:
  - { name: a, command: 'echo out; echo err >&2', stdout: "\${DAG_RUN_STEP_NAME}/out.log", stderr: all.log, output: O }`,
      { defaultWorkingDir: folder },
    );
    expect(view).toMatchObject({ status: 'succeeded', outputs: { O: 'out' } });
    expect(readFileSync(path.join(folder, 'a/out.log'), 'utf8')).toBe('out\n');
    expect(readFileSync(path.join(folder, 'all.log'), 'utf8')).toBe('before\nerr\n');
    expect(stdoutOf(view, 'a')).toBe('out\n');
  });

  test('that cannot be opened fail the step before it starts', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(path.join(folder, 'taken'));
    const view = await new TestEngine().run('steps: [{ name: a, command: touch ran, stdout: taken }]', {
      defaultWorkingDir: folder,
    });
    expect(view.steps[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('taken') });
    expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  });
});

describe('logDir', () => {
  test('contains the logs of runs, expanded, and is relative to the workflow file', async () => {
    const engine = new TestEngine();
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'wf.yaml');
    writeFileSync(
      file,
      'env: { PLACE: kept }\nlogDir: "logs/${PLACE}/${DAG_NAME}"\nsteps: [{ name: a, command: echo hi }]',
    );
    const run = await engine.host.startRun({ source: { file }, trigger: 'api' });
    const view = await engine.end(run);
    expect(view.logDir!.startsWith(path.join(folder, 'logs/kept/wf/wf/'))).toBe(true);
    expect(stdoutOf(view, 'a')).toBe('hi\n');
    const { lines } = await engine.host.api.call(
      'logs.lines',
      { ...run, step: 'a' },
      { via: 'cli', name: 'the test' },
    );
    expect(lines).toEqual(['hi']);
  });

  // Node's own recursive `mkdir` never returns from there.
  if (process.platform === 'linux')
    test('that cannot be created fails a run that has started', async () => {
      const view = await new TestEngine().run('logDir: /proc/x\nsteps: ["true"]');
      expect(view).toMatchObject({
        status: 'failed',
        cause: 'engine',
        error: expect.stringContaining('/proc/x'),
      });
      expect(view.startedAt).toBeDefined();
    });

  test('that cannot be resolved fails a run that has started', async () => {
    const view = await new TestEngine().run('logDir: "`exit 3`"\nsteps: ["true"]');
    expect(view).toMatchObject({
      status: 'failed',
      cause: 'engine',
      error: expect.stringContaining('exit 3'),
    });
    expect(view.startedAt).toBeDefined();
  });
});

describe('delaySec', () => {
  test('is waited after the start of each step', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
type: graph
delaySec: 500
steps: [{ name: a, command: "true" }, { name: b, command: "true" }, { name: c, command: "true" }]`);
    for (const index of [0, 1]) {
      await engine.untilRun(run, ({ steps }) => steps[index]!.finishedAt !== undefined);
      expect((await engine.get(run)).steps[index + 1]!.status).toBe('not_started');
      engine.clock.advance(500_000);
    }
    const view = await engine.end(run);
    const starts = (await eventsOf(engine, view)).flatMap(({ at, event }) =>
      event.type === 'step.started' ? [Date.parse(at)] : [],
    );
    const gaps = starts.slice(1).map((at, index) => at - starts[index]!);
    expect(gaps).toHaveLength(2);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(500_000);
  });
});

test('delaySec leaves no timer behind when nothing is left to start', async () => {
  const engine = new TestEngine();
  const before = engine.clock.pending;
  const view = await engine.run('delaySec: 500\nsteps: ["true"]');
  expect(view.status).toBe('succeeded');
  expect(engine.clock.pending).toBe(before);
});

describe('step properties', () => {
  test('are the log files and exit codes of steps with an id', async () => {
    const view = await new TestEngine().run(`
steps:
  - { id: first, command: echo hi; exit 3, continueOn: failed }
  - { name: show, command: 'cat "\${first.stdout}"; echo "\${first.exitCode}-\${first.exit_code}" "\${later.exitCode}|"' }
  - { id: later, command: "true", preconditions: [{ condition: "\${first.exitCode}", expected: "3" }] }`);
    expect(stdoutOf(view, 'show')).toBe('hi\n3-3 |\n');
    expect(view.steps[2]!.status).toBe('succeeded');
  });
});
