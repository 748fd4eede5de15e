import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson, saveDag } from '../harness/home-and-command.ts';

const two = `
steps:
  - name: extract
    command: echo rows
    output: ROWS
  - name: load
    command: echo "got \${ROWS}"
`;

describe('engine start', () => {
  it('runs a file, shows progress on stderr and the summary on stdout', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'etl.yaml'), two);
    const { code, stdout, stderr } = await runEngine(place, ['start', 'etl.yaml']);
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d run etl [0-9a-f-]{36} started$/m);
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d step extract succeeded in \d+\.\ds$/m);
    expect(stdout).toMatch(/^Status +✔ succeeded$/m);
    expect(stdout).toMatch(/^load +✔ succeeded +\d+\.\ds +0$/m);
    expect(stdout + stderr).not.toContain('\u001B');
    expect(code).toBe(0);
  });

  it('is the default command and accepts a name in the workflow folder', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', two);
    const { code, stdout } = await runEngine(place, ['etl']);
    expect(stdout).toContain('✔ succeeded');
    expect(code).toBe(0);
  });

  it('names all missing parameters without a terminal, and rejects unknown ones of a typed workflow', async () => {
    const place = makeTestHome();
    const params = '[{ name: env, enum: [dev, prod], required: true }, { name: day, required: true }]';
    saveDag(place, 'release', `params: ${params}\nsteps: ["true"]\n`);
    for (const command of ['start', 'enqueue']) {
      const { code, stderr } = await runEngine(place, [command, 'release']);
      expect(code).toBe(2);
      expect(stderr).toContain('parameter validation failed: "env" is missing; "day" is missing');
      expect(stderr).toContain('hint: Pass parameters after --, for example: -- env=dev day=VALUE');
    }
    const outcome = await runEngine(place, ['start', 'release', '--', 'prod', 'dya=x', 'day=1']);
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '"dya" is not a parameter of this workflow (did you mean "day"?)',
      ) as string,
    });
  });

  it('warns about an unknown parameter of an untyped workflow', async () => {
    const place = makeTestHome();
    saveDag(place, 'greet', 'params: { WHO: x }\nsteps: ["true"]\n');
    const { code, stderr } = await runEngine(place, ['start', 'greet', '--', 'WHOO=y']);
    expect(code).toBe(0);
    expect(stderr).toContain('greet: Unknown parameter "WHOO". Did you mean "WHO"?');
    expect((await runEngine(place, ['start', 'greet', '--', 'WHO=y'])).stderr).not.toContain('Unknown');
  });

  it('rejects a run for workers in one line when no workers are configured', async () => {
    const place = makeTestHome();
    saveDag(place, 'train', 'workerSelector: { gpu: "yes" }\nsteps:\n  - command: touch ran\n');
    const { code, stdout, stderr } = await runEngine(place, ['start', 'train', '-r', 'one']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /^[^\n]*no worker matches gpu=yes: no workers have been set up in this home[^\n]*\n$/,
    );
  });

  it('prints a single JSON object of the documented shape to stdout', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', two);
    const { code, json } = await runForJson(place, ['start', 'etl', '--run-id', 'run-1', '--', 'a', 'X=1']);
    expect(code).toBe(0);
    const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(json).toMatchObject({
      name: 'etl',
      dagRunId: 'run-1',
      status: 'succeeded',
      params: ['1=a', 'X=1'],
    });
    expect(json).toMatchObject({
      startedAt: isoTime,
      finishedAt: isoTime,
      outputs: { ROWS: 'rows' },
      handlers: [],
    });
    expect(Object.keys(json)).toEqual([
      'name',
      'dagRunId',
      'status',
      'startedBy',
      'params',
      'startedAt',
      'finishedAt',
      'traceId',
      'outputs',
      'steps',
      'handlers',
    ]);
    expect(json.steps[0]).toEqual({
      name: 'extract',
      status: 'succeeded',
      exitCode: 0,
      attempts: 1,
      startedAt: isoTime,
      finishedAt: isoTime,
      stdoutFile: expect.stringContaining(place.home),
      stderrFile: expect.stringContaining(place.home),
      output: { name: 'ROWS', value: 'rows' },
    });
  });

  it('reports a failed run with exit code 1, the failed step, and steps that never started', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'bad',
      'steps:\n  - name: boom\n    command: exit 3\n  - name: after\n    command: echo never\nhandlerOn:\n  failure: echo sorry\n',
    );
    const { code, json } = await runForJson(place, ['start', 'bad']);
    expect(code).toBe(1);
    expect(json).toMatchObject({ status: 'failed', error: expect.stringContaining('boom') });
    expect(json.steps).toMatchObject([
      { name: 'boom', status: 'failed', exitCode: 3, attempts: 1 },
      { name: 'after', status: 'aborted', exitCode: null, attempts: 0, startedAt: null, stdoutFile: null },
    ]);
    expect(json.handlers).toMatchObject([{ name: 'onFailure', status: 'succeeded', exitCode: 0 }]);
  });

  it('exits with 1 after a tolerated failure', async () => {
    const place = makeTestHome();
    saveDag(place, 'partly', 'steps:\n  - command: exit 1\n    continueOn: failed\n  - echo on\n');
    const { code, json } = await runForJson(place, ['start', 'partly']);
    expect(json.status).toBe('partially_succeeded');
    expect(code).toBe(1);
  });

  it('exits with 0 when preconditions are not met', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'night',
      'preconditions:\n  - condition: "`echo day`"\n    expected: night\nsteps:\n  - echo x\n',
    );
    const { code, json } = await runForJson(place, ['start', 'night']);
    expect(json).toMatchObject({ status: 'aborted', steps: [{ status: 'not_started' }] });
    expect(code).toBe(0);
  });

  it('nests sub-runs', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'parent',
      'steps:\n  - name: call\n    run: child\n    params: WHO=me\n---\nname: child\nparams: WHO=x\nsteps:\n  - name: hello\n    command: echo "${WHO}"\n',
    );
    const { code, json } = await runForJson(place, ['start', 'parent']);
    expect(code).toBe(0);
    expect(json.steps[0].subRuns).toMatchObject([
      { name: 'child', status: 'succeeded', params: ['WHO=me'], steps: [{ name: 'hello', exitCode: 0 }] },
    ]);
  });

  it('passes parameters unchanged: quotes, spaces, newlines, dashes', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'echo',
      'params: A=1 B=2\nsteps:\n  - name: show\n    command: printf "%s|%s|%s" "$A" "$B" "$3"\n    output: SHOWN\n',
    );
    const { json } = await runForJson(place, [
      'start',
      'echo',
      '--',
      `A=it's "quoted" $HOME`,
      'B=line 1\nline 2',
      '--force',
    ]);
    expect(json.outputs.SHOWN).toBe(`it's "quoted" $HOME|line 1\nline 2|--force`);
    expect(json.params).toEqual([`A=it's "quoted" $HOME`, 'B=line 1\nline 2', '3=--force']);
  });

  it('splits --params at spaces outside quotes', async () => {
    const place = makeTestHome();
    saveDag(place, 'echo', 'steps:\n  - echo\n');
    const { json } = await runForJson(place, ['start', 'echo', '-p', 'first A="b c"']);
    expect(json.params).toEqual(['1=first', 'A=b c']);
  });

  it('runs under another name and in a default working directory', async () => {
    const place = makeTestHome();
    saveDag(place, 'where', 'steps:\n  - command: pwd\n    output: DIR\n');
    mkdirSync(join(place.cwd, 'data'));
    const { json } = await runForJson(place, [
      'start',
      'where',
      '--name',
      'other',
      '--default-working-dir',
      'data',
    ]);
    expect(json).toMatchObject({ name: 'other', outputs: { DIR: realpathSync(join(place.cwd, 'data')) } });
  });

  it('prints only the reason for a failure with --quiet', async () => {
    const place = makeTestHome();
    saveDag(place, 'good', 'steps:\n  - echo\n');
    saveDag(place, 'bad', 'steps:\n  - name: boom\n    command: exit 1\n');
    expect(await runEngine(place, ['start', 'good', '--quiet'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const bad = await runEngine(place, ['-q', 'bad']);
    expect(bad).toMatchObject({ code: 1, stdout: '' });
    expect(bad.stderr).toMatch(/^engine: run \S+ of bad failed.*boom.*\n$/);
  });
});

describe('engine start rejects', () => {
  it('an invalid spec, with the line and a caret', async () => {
    const place = makeTestHome();
    saveDag(place, 'broken', 'steps:\n  - name: a\n    comand: echo\n');
    const { code, stdout, stderr } = await runEngine(place, ['start', 'broken']);
    expect(stderr).toMatch(/broken\.yaml:3:5: .*command/);
    expect(stderr).toContain('3 |     comand: echo\n    |     ^');
    expect(stderr).toMatch(/^engine: /m);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('an invalid spec as JSON', async () => {
    const place = makeTestHome();
    saveDag(place, 'broken', 'steps: {');
    const { code, json } = await runForJson(place, ['start', 'broken']);
    expect(json.error).toMatchObject({
      code: 'invalid_spec',
      message: expect.any(String),
      details: { diagnostics: [{ line: 1, severity: 'error' }] },
    });
    expect(code).toBe(1);
  });

  it('an unknown workflow, with the nearest name', async () => {
    const place = makeTestHome();
    saveDag(place, 'nightly-etl', 'steps:\n  - echo\n');
    const { code, stderr } = await runEngine(place, ['start', 'nigthly-etl']);
    expect(stderr).toContain('Did you mean "nightly-etl"?');
    expect(code).toBe(3);
  });

  it('accepts a path without extension', async () => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'main.yaml'), 'steps: [echo hello]\n');
    mkdirSync(join(place.cwd, 'main'));
    for (const dag of ['./main', join(place.cwd, 'main')])
      expect(await runEngine(place, ['start', '-q', dag])).toMatchObject({ code: 0, stderr: '' });
  });

  it('accepts --no-queue of Dagu with a note', async () => {
    const place = makeTestHome();
    saveDag(place, 'hello', 'steps: [echo hello]\n');
    const { code, stderr } = await runEngine(place, ['start', '-q', '-n', 'hello']);
    expect(stderr).toBe(
      'engine: --no-queue has no effect because "start" never queues runs. Remove the option.\n',
    );
    expect(code).toBe(0);
  });

  it('a duplicate run id', async () => {
    const place = makeTestHome();
    saveDag(place, 'once', 'steps:\n  - echo\n');
    await runEngine(place, ['start', 'once', '--run-id', 'only']);
    const { code, json } = await runForJson(place, ['start', 'once', '--run-id', 'only']);
    expect(json.error.code).toBe('already_exists');
    expect(code).toBe(4);
  });

  it('a missing workflow when not interactive', async () => {
    const { code, stderr, stdout } = await runEngine(makeTestHome(), []);
    expect(stderr).toMatch(/^engine: No workflow specified/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('parameters without --, and duplicates', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', two);
    const loose = await runEngine(place, ['start', 'etl', 'X=1']);
    expect(loose).toMatchObject({ code: 2, stderr: expect.stringContaining('Put parameters after --') });
    // "b" is close to "db", which takes other arguments.
    const short = await runEngine(place, ['b', 'X=1']);
    expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('Put parameters after --') });
    const twice = await runEngine(place, ['start', 'etl', '-p', 'X=1', '--', 'X=2']);
    expect(twice).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Parameters were passed both with --params and after --'),
    });
  });
});
