import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  type TestHome,
} from '../harness/home-and-command.ts';

/** A home with one succeeded and one failed run of `etl`. */
async function makeHistory(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(
    place,
    'etl',
    'tags: nightly, prod\nparams: CODE=0\nsteps:\n  - name: extract\n    command: |\n      echo one\n      echo oops >&2\n      printf two\n  - name: load\n    command: exit ${CODE}\n',
  );
  await runEngine(place, ['start', 'etl', '--run-id', 'first', '-q']);
  await runEngine(place, ['start', 'etl', '--run-id', 'second', '-q', '--', 'CODE=7']);
  return place;
}

describe('engine status', () => {
  it('shows the latest run, or a given one, as text and as JSON', async () => {
    const place = await makeHistory();
    const newest = await runEngine(place, ['status', 'etl']);
    expect(newest.stdout).toMatch(/^Run +etl {2}second$/m);
    expect(newest.stdout).toMatch(/^load +✖ failed +\S+ +7 /m);
    expect(newest.code).toBe(0);
    const { json } = await runForJson(place, ['status', 'etl', '--run-id', 'first']);
    expect(json).toMatchObject({ dagRunId: 'first', status: 'succeeded', params: ['CODE=0'] });
    expect(json.steps[1]).toMatchObject({ name: 'load', exitCode: 0 });
  });

  it('distinguishes a workflow without runs from an unknown name', async () => {
    const place = await makeHistory();
    saveDag(place, 'fresh', 'steps:\n  - echo\n');
    expect(await runEngine(place, ['status', 'fresh'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Workflow "fresh" has no runs yet.'),
    });
    expect(await runEngine(place, ['status', 'elt'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Did you mean "etl"?'),
    });
    expect((await runEngine(place, ['status', 'etl', '--run-id', 'third'])).code).toBe(3);
  });
});

describe('engine history', () => {
  it('lists runs newest first, filtered and limited', async () => {
    const place = await makeHistory();
    const { json } = await runForJson(place, ['history']);
    expect(json.dagRuns).toMatchObject([
      { name: 'etl', dagRunId: 'second', status: 'failed', trigger: 'cli', params: ['CODE=7'] },
      { name: 'etl', dagRunId: 'first', status: 'succeeded' },
    ]);
    const failed = await runForJson(place, ['history', 'etl', '--status', 'failed,aborted']);
    expect(failed.json.dagRuns).toHaveLength(1);
    const tagged = async (...tags: string[]) =>
      (await runForJson(place, ['history', ...tags.flatMap((tag) => ['--tag', tag])])).json.dagRuns;
    expect(await tagged('prod', 'Nightly')).toHaveLength(2);
    expect(await tagged('prod', 'weekly')).toEqual([]);
    expect((await runForJson(place, ['history', '--limit', '1'])).json.dagRuns).toMatchObject([
      { dagRunId: 'second' },
    ]);
  });

  it('prints a table for people, and a sentence when empty', async () => {
    const place = await makeHistory();
    const { stdout } = await runEngine(place, ['history']);
    expect(stdout).toMatch(
      /^NAME +RUN ID +STATUS +STARTED +DURATION +TRIGGER +PARAMS +ERROR\netl +second +✖ failed /,
    );
    expect(await runEngine(place, ['history', 'elt'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No runs, and no workflow named "elt". Did you mean etl?\n',
    });
    expect(await runEngine(makeTestHome(), ['history'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No runs.\n',
    });
  });
});

describe('engine logs', () => {
  it('prefixes the lines of all steps with labels', async () => {
    const { stdout } = await runEngine(await makeHistory(), ['logs', 'etl']);
    expect(stdout).toBe('extract | one\nextract | two\nextract ! oops\n');
  });

  it('prints one stream of one step byte for byte', async () => {
    const place = await makeHistory();
    expect((await runEngine(place, ['logs', 'etl', 'extract', '--stream', 'stdout'])).stdout).toBe(
      'one\ntwo',
    );
    expect((await runEngine(place, ['logs', 'etl', 'extract', '--stream', 'stderr'])).stdout).toBe('oops\n');
    expect((await runEngine(place, ['logs', 'etl', 'extract'])).stdout).toBe('one\ntwo\noops\n');
  });

  it('prints the logs as one JSON object', async () => {
    const { json } = await runForJson(await makeHistory(), ['logs', 'etl', 'extract', '--run-id', 'first']);
    expect(json).toEqual({
      name: 'etl',
      dagRunId: 'first',
      status: 'succeeded',
      logs: [
        { step: 'extract', section: 'step', attempt: 1, stream: 'stdout', lines: ['one', 'two'] },
        { step: 'extract', section: 'step', attempt: 1, stream: 'stderr', lines: ['oops'] },
      ],
    });
  });

  it('shows every attempt of a retried step', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'again',
      'steps:\n  - name: flaky\n    command: echo try; test -e mark || { touch mark; exit 1; }\n    retryPolicy: {limit: 1, intervalSec: 0}\n',
    );
    const { json } = await runForJson(place, ['start', 'again', '--default-working-dir', '.']);
    expect(json.steps[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(readFileSync(json.steps[0].stdoutFile ?? '', 'utf8')).toBe('try\n');
    expect((await runEngine(place, ['logs', 'again'])).stdout).toBe('flaky | try\nflaky#2 | try\n');
    expect((await runEngine(place, ['logs', 'again', 'flaky', '--attempt', '1'])).stdout).toBe('try\n');
    expect((await runEngine(place, ['logs', 'again', 'flaky', '--attempt', '3'])).code).toBe(3);
  });

  it('reports that no step of the run has started', async () => {
    const place = makeTestHome();
    saveDag(place, 'later', 'steps:\n  - name: load\n    command: echo\n');
    await runEngine(place, ['enqueue', 'later', '--run-id', 'one']);
    expect(await runEngine(place, ['logs', 'later'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No step has started in run one of later (queued).\n',
    });
    const { stderr } = await runEngine(place, ['logs', 'later', 'load']);
    expect(stderr).toBe('Step load has not started in run one of later (queued).\n');
  });

  it('rejects an unknown step and suggests the nearest name', async () => {
    const outcome = await runEngine(await makeHistory(), ['logs', 'etl', 'extarct']);
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('Did you mean "extract"?') });
  });

  it('exits quietly when its reader closes the pipe', async () => {
    const place = makeTestHome();
    saveDag(place, 'flood', 'steps:\n  - name: many\n    command: seq 1 400000\n');
    await runEngine(place, ['start', 'flood', '-q']);
    const logs = startEngine(place, ['logs', 'flood']);
    logs.child.stdout?.once('data', () => logs.child.stdout?.destroy());
    const { code, signal, stderr } = await logs.ended;
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  });
});
