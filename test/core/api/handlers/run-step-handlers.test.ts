import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { statusesOf } from '../../../harness/engine.ts';
import { openApiHarness } from '../../../harness/server.ts';

const failure = (status: number, code: string) => ({ status, body: { code, message: expect.any(String) } });

const brittle = 'name: brittle\nsteps: [{ name: a, command: "false" }, { name: b, command: "true" }]';

/** A parent that calls a child that calls a grandchild. */
const family = `
name: parent
steps: [{ name: call, run: child }]
---
name: child
steps: [{ name: call, run: grandchild }]
---
name: grandchild
steps: [{ name: say, command: echo hello }, { name: fail, command: "false" }]
`;

describe('PATCH …/steps/{step}/status', () => {
  const at = (step: string) => `/dag-runs/brittle/one/steps/${step}/status`;

  test('sets the status, keeps that of the run, and a retry respects it', async () => {
    const harness = await openApiHarness();
    const { engine } = harness;
    await engine.run(brittle, { dagRunId: 'one' });
    expect(await harness.send('PATCH', at('a'), { status: 'succeeded' })).toMatchObject({
      status: 200,
      body: { name: 'brittle', dagRunId: 'one', step: 'a', status: 'succeeded', previous: 'failed' },
    });
    const run = await engine.get({ name: 'brittle', dagRunId: 'one' });
    expect([run.status, run.steps.map(({ status, error }) => [status, error])]).toEqual([
      'failed',
      [
        ['succeeded', undefined],
        ['aborted', expect.any(String)],
      ],
    ]);
    const { plan } = (await harness.send('POST', '/dag-runs/brittle/one/retry')).body;
    expect(plan).toMatchObject({
      steps: [
        { name: 'a', action: 'keep' },
        { name: 'b', action: 'run' },
      ],
    });
    const ended = await engine.end(run);
    expect([ended.status, statusesOf(ended)]).toEqual(['succeeded', { a: 'succeeded', b: 'succeeded' }]);
  });

  test('records the actor', async () => {
    const harness = await openApiHarness();
    await harness.engine.run(brittle, { dagRunId: 'one' });
    const seen: unknown[] = [];
    const input = { name: 'brittle', dagRunId: 'one', after: 0 };
    const stop = harness.engine.host.api.follow(
      'events.follow',
      input,
      { item: ({ event }) => seen.push(event), end() {} },
      { via: 'cli', name: 'test' },
    );
    await harness.send('PATCH', at('b'), { status: 'skipped' });
    await harness.send('PATCH', at('b'), { status: 'skipped' });
    stop();
    const node = { section: 'step', name: 'b' };
    const edits = seen.filter((event) => (event as { type: string }).type === 'step.status_set');
    expect(edits).toEqual([
      { type: 'step.status_set', node, status: 'skipped', previous: 'aborted', by: 'http' },
    ]);
  });

  test('resets a step to before its start', async () => {
    const harness = await openApiHarness();
    const spec = 'name: brittle\nsteps: [{ name: a, command: "true" }]';
    await harness.engine.run(spec, { dagRunId: 'one' });
    expect(await harness.send('POST', '/dag-runs/brittle/one/retry')).toMatchObject(
      failure(409, 'nothing_to_retry'),
    );
    await harness.send('PATCH', at('a'), { status: 'not_started' });
    await harness.send('POST', '/dag-runs/brittle/one/retry');
    const ended = await harness.engine.end({ name: 'brittle', dagRunId: 'one' });
    expect(ended.steps[0]).toMatchObject({ status: 'succeeded', attempts: [{ attempt: 1 }, { attempt: 2 }] });
  });

  test('rejects an active run, unknown steps, handlers, and other statuses', async () => {
    const harness = await openApiHarness();
    const { engine } = harness;
    const spec = 'name: brittle\nsteps: [{ name: a, command: sleep 1000 }]\nhandlerOn: { exit: "true" }';
    const run = await engine.start(spec, { dagRunId: 'one' });
    expect(await harness.send('PATCH', at('a'), { status: 'failed' })).toMatchObject(
      failure(409, 'still_running'),
    );
    engine.host.forceStop(run);
    await engine.end(run);
    expect(await harness.send('PATCH', at('a'), { status: 'running' })).toMatchObject(
      failure(400, 'bad_request'),
    );
    expect(await harness.send('PATCH', at('a'), {})).toMatchObject(failure(400, 'bad_request'));
    expect(await harness.send('PATCH', at('x'), { status: 'failed' })).toMatchObject(
      failure(404, 'not_found'),
    );
    expect(await harness.send('PATCH', at('onExit'), { status: 'failed' })).toMatchObject(
      failure(404, 'not_found'),
    );
    const nowhere = '/dag-runs/brittle/two/steps/a/status';
    expect(await harness.send('PATCH', nowhere, { status: 'failed' })).toMatchObject(
      failure(404, 'not_found'),
    );
  });
});

describe('sub-runs', () => {
  test('are listed, shown, read and changed through the parent run, at any depth', async () => {
    const harness = await openApiHarness();
    await harness.engine.run(family, { dagRunId: 'one' });
    const root = '/dag-runs/parent/one';
    const direct = await harness.get(`${root}/sub-dag-runs`);
    expect(direct).toMatchObject({
      status: 200,
      body: { subRuns: [{ name: 'child', status: 'failed', parent: { name: 'parent', step: 'call' } }] },
    });
    const all = (await harness.get(`${root}/sub-dag-runs?deep=true`)).body['subRuns'] as {
      name: string;
      dagRunId: string;
      startedAt: string;
      finishedAt: string;
    }[];
    expect(all.map(({ name }) => name)).toEqual(['child', 'grandchild']);
    for (const { startedAt, finishedAt } of all) expect(startedAt <= finishedAt).toBe(true);
    const first = (await harness.get(`${root}/sub-dag-runs?deep=true&limit=1`)).body;
    const cursor = String(first['nextCursor']);
    expect((await harness.get(`${root}/sub-dag-runs?deep=true&cursor=${cursor}`)).body).toMatchObject({
      subRuns: [{ name: 'grandchild' }],
    });
    const deep = `${root}/sub-dag-runs/${all[1]!.dagRunId}`;
    expect(await harness.get(deep)).toMatchObject({
      status: 200,
      body: { name: 'grandchild', status: 'failed' },
    });
    expect((await harness.get(`${deep}/log`)).body['lines']).toContainEqual(
      expect.stringContaining('run started'),
    );
    expect(await harness.get(`${deep}/steps/say/log`)).toMatchObject({
      body: { lines: ['hello'], complete: true },
    });
    expect(await harness.get(`${deep}/steps/say/log?stream=stderr`)).toMatchObject({ body: { lines: [] } });
    const edit = await harness.send('PATCH', `${deep}/steps/fail/status`, { status: 'succeeded' });
    expect(edit).toMatchObject({ status: 200, body: { name: 'grandchild', previous: 'failed' } });
    const below = await harness.get(`/dag-runs/child/${all[0]!.dagRunId}/sub-dag-runs`);
    expect(below).toMatchObject({ body: { subRuns: [{ name: 'grandchild' }] } });
  });

  test('are not found through themselves or other runs', async () => {
    const harness = await openApiHarness();
    await harness.engine.run(family, { dagRunId: 'one' });
    await harness.engine.run('name: alone\nsteps: ["true"]', { dagRunId: 'two' });
    const [child] = (await harness.get('/dag-runs/parent/one/sub-dag-runs')).body['subRuns'] as {
      dagRunId: string;
    }[];
    for (const address of [
      `/dag-runs/alone/two/sub-dag-runs/${child!.dagRunId}`,
      `/dag-runs/child/${child!.dagRunId}/sub-dag-runs/${child!.dagRunId}`,
      '/dag-runs/parent/one/sub-dag-runs/one',
      '/dag-runs/parent/one/sub-dag-runs/nobody/log',
      '/dag-runs/parent/one/sub-dag-runs/nobody/steps/say/log',
      `/dag-runs/parent/one/sub-dag-runs/${child!.dagRunId}/steps/nothing/log`,
      '/dag-runs/parent/nobody/sub-dag-runs',
    ])
      expect(await harness.get(address)).toMatchObject(failure(404, 'not_found'));
    const step = '/dag-runs/parent/one/sub-dag-runs/nobody/steps/call/status';
    expect(await harness.send('PATCH', step, { status: 'failed' })).toMatchObject(failure(404, 'not_found'));
  });
});

test('GET /dag-runs/{name}/{dagRunId}/log returns the engine’s log', async () => {
  const harness = await openApiHarness();
  await harness.engine.run(brittle, { dagRunId: 'one' });
  const log = await harness.get('/dag-runs/brittle/latest/log');
  expect(log).toMatchObject({ status: 200, body: { complete: true, from: 0 } });
  const lines = log.body['lines'] as string[];
  expect(lines.at(-1)).toMatch(/ run failed/);
  expect((await harness.get('/dag-runs/brittle/one/log?from=-1')).body['lines']).toEqual(lines.slice(-1));
  expect(await harness.get('/dag-runs/brittle/two/log')).toMatchObject(failure(404, 'not_found'));
  harness.write('job', 'steps: ["true"]');
  await harness.send('POST', '/dags/job/enqueue', { dagRunId: 'waits' });
  expect(await harness.get('/dag-runs/job/waits/log')).toMatchObject(failure(404, 'not_found'));
});

describe('DELETE /dag-runs/{name}/{dagRunId}', () => {
  test('deletes a run with its sub-runs and logs', async () => {
    const harness = await openApiHarness();
    const { logDir } = await harness.engine.run(family, { dagRunId: 'one' });
    await harness.engine.run(brittle, { dagRunId: 'one' });
    expect(await harness.send('DELETE', '/dag-runs/parent/one')).toMatchObject({
      status: 200,
      body: { removed: 3, errors: [] },
    });
    expect(existsSync(logDir!)).toBe(false);
    expect(existsSync(path.join(harness.engine.home, 'logs', 'grandchild'))).toBe(false);
    expect((await harness.get('/dag-runs?subRuns=true')).body['dagRuns']).toMatchObject([
      { name: 'brittle' },
    ]);
    expect(await harness.send('DELETE', '/dag-runs/parent/one')).toMatchObject(failure(404, 'not_found'));
  });

  test('rejects an active run, a queued one, and a sub-run', async () => {
    const harness = await openApiHarness();
    const { engine } = harness;
    const run = await engine.start('name: long\nsteps: ["sleep 1000"]', { dagRunId: 'one' });
    expect(await harness.send('DELETE', '/dag-runs/long/one')).toMatchObject(failure(409, 'still_running'));
    engine.host.forceStop(run);
    await engine.end(run);
    await harness.send('POST', '/dag-runs/enqueue', { spec: brittle, dagRunId: 'waits' });
    expect(await harness.send('DELETE', '/dag-runs/brittle/waits')).toMatchObject(
      failure(409, 'still_running'),
    );
    await engine.run(family, { dagRunId: 'one' });
    const [child] = (await harness.get('/dag-runs/parent/one/sub-dag-runs')).body['subRuns'] as {
      dagRunId: string;
    }[];
    expect(await harness.send('DELETE', `/dag-runs/child/${child!.dagRunId}`)).toMatchObject(
      failure(400, 'bad_request'),
    );
  });
});

test('names over 40 characters or outside of the pattern are rejected everywhere', async () => {
  const harness = await openApiHarness();
  harness.write('job', 'steps: ["true"]');
  await harness.engine.run(brittle, { dagRunId: 'one' });
  const spec = 'steps: ["true"]';
  for (const name of ['x'.repeat(41), 'a b', 'é', 'a/b'])
    for (const [address, body] of [
      ['/dag-runs', { spec, name }],
      ['/dag-runs/enqueue', { spec, name }],
      ['/dag-runs/dry', { spec, name }],
      ['/dags/job/start', { dagName: name }],
      ['/dags/job/enqueue', { dagName: name }],
      ['/dag-runs/brittle/one/reschedule', { dagName: name }],
    ] as const)
      expect([address, await harness.send('POST', address, body)]).toMatchObject([
        address,
        failure(400, 'bad_request'),
      ]);
  expect(await harness.send('POST', '/dag-runs', { spec, name: 'x'.repeat(40) })).toMatchObject({
    status: 200,
  });
});

test('parameters with an unclosed quote are rejected everywhere', async () => {
  const harness = await openApiHarness();
  harness.write('job', 'params: PACE=1\nsteps: ["true"]');
  const spec = 'name: job\nsteps: ["true"]';
  for (const [address, body] of [
    ['/dag-runs', { spec }],
    ['/dag-runs/enqueue', { spec }],
    ['/dag-runs/dry', { spec }],
    ['/dags/job/start', {}],
    ['/dags/job/enqueue', {}],
    ['/dags/job/dry', {}],
  ] as const) {
    const answer = await harness.send('POST', address, { ...body, params: 'PACE="0' });
    expect([address, answer]).toMatchObject([address, failure(400, 'bad_request')]);
    expect(answer.body).toMatchObject({
      message: expect.stringContaining('params: The value of parameter PACE starts with an unclosed ".'),
      details: { field: 'params' },
    });
  }
});

test('a default working directory must be an absolute path of this machine everywhere', async () => {
  const harness = await openApiHarness();
  const spec = 'name: job\nmaxActiveRuns: -1\nsteps: ["true"]';
  await harness.engine.run(spec, { dagRunId: 'one' });
  for (const [address, body] of [
    ['/dag-runs', { spec }],
    ['/dag-runs/enqueue', { spec }],
    ['/dag-runs/dry', { spec }],
    ['/dag-runs/job/one/reschedule', { singleton: false }],
  ] as const) {
    for (const defaultWorkingDir of ['work', '~/work', '/with\0zero'])
      expect([address, await harness.send('POST', address, { ...body, defaultWorkingDir })]).toMatchObject([
        address,
        failure(400, 'bad_request'),
      ]);
    const whole = { ...body, defaultWorkingDir: harness.engine.home };
    expect([address, await harness.send('POST', address, whole)]).toMatchObject([address, { status: 200 }]);
  }
});

test('reschedule is blocked by an active or queued run', async () => {
  const harness = await openApiHarness();
  const { engine } = harness;
  const spec = 'name: job\nmaxActiveRuns: -1\nparams: P=1\nsteps: ["test $P = 1 || sleep 1000"]';
  await engine.run(spec, { dagRunId: 'one' });
  const again = () => harness.send('POST', '/dag-runs/job/one/reschedule', { dagRunId: 'again' });
  const long = await engine.start(spec, { params: 'P=2' });
  expect(await again()).toMatchObject(failure(409, 'still_running'));
  const free = await harness.send('POST', '/dag-runs/job/one/reschedule', { singleton: false });
  await engine.end({ name: 'job', dagRunId: String(free.body['dagRunId']) });
  engine.host.forceStop(long);
  await engine.end(long);
  await harness.send('POST', '/dag-runs/enqueue', { spec, dagRunId: 'waits' });
  expect(await again()).toMatchObject(failure(409, 'still_running'));
  await harness.send('POST', '/dag-runs/job/waits/dequeue');
  expect(await again()).toMatchObject({ status: 200, body: { name: 'job', dagRunId: 'again' } });
  expect(await engine.end({ name: 'job', dagRunId: 'again' })).toMatchObject({ status: 'succeeded' });
});

describe('services', () => {
  test('GET /services/hosts lists the processes that execute runs', async () => {
    const harness = await openApiHarness();
    expect((await harness.get('/services/hosts')).body).toEqual({ hosts: [] });
    const run = await harness.engine.start('name: long\nsteps: ["sleep 1000"]');
    expect(await harness.get('/services/hosts')).toMatchObject({
      status: 200,
      body: { hosts: [{ kind: 'cli', pid: process.pid, version: 'test', status: 'active', activeRuns: 1 }] },
    });
    harness.engine.host.forceStop(run);
    await harness.engine.end(run);
    expect(await harness.get('/services/hosts')).toMatchObject({ body: { hosts: [{ activeRuns: 0 }] } });
  });

  test('GET /workers is empty without a coordinator', async () => {
    const harness = await openApiHarness();
    expect(await harness.get('/workers')).toMatchObject({ status: 200, body: { workers: [], errors: [] } });
  });
});
