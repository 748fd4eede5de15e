import { describe, expect, test } from 'vitest';
import type { RunRef } from '../../../../core/model/run.ts';
import { createOnce } from '../../../harness/resources.ts';
import { type ApiHarness, openApiHarness } from '../../../harness/server.ts';

const bad = (field: string) => ({ status: 400, body: { code: 'bad_request', details: { field } } });

/** Five runs, one per day from 2026-01-01 on: etl-a fails, b, etl-a, Etl-c with a sub-run of b. */
async function openFullHarness(): Promise<ApiHarness> {
  const harness = await openApiHarness();
  const { engine } = harness;
  const nextDay = () => engine.clock.jumpTo(Math.floor(engine.clock.now() / 86_400_000 + 1) * 86_400_000);
  await engine.run('name: etl-a\ntags: Nightly, prod\nsteps: ["false"]', { dagRunId: 'one' });
  nextDay();
  await engine.run('name: b\nsteps: ["true"]', { dagRunId: 'two' });
  nextDay();
  await engine.run('name: etl-a\nsteps: ["true"]', { dagRunId: 'three' });
  nextDay();
  const parent =
    'name: Etl-c\ntags: [prod]\nsteps: [{ name: call, run: b }]\n---\nname: b\ntags: [prod, small]\nsteps: ["true"]';
  await engine.run(parent, { dagRunId: 'one' });
  return harness;
}

async function ids(harness: ApiHarness, path: string): Promise<string[]> {
  const { dagRuns } = (await harness.get(path)).body as { dagRuns: { name: string; dagRunId: string }[] };
  return dagRuns.map(({ name, dagRunId }) => `${name}/${dagRunId.length > 5 ? 'sub' : dagRunId}`);
}

describe('GET /dag-runs', () => {
  const fullHarness = createOnce(openFullHarness);

  test.each([
    ['', ['Etl-c/one', 'etl-a/three', 'b/two', 'etl-a/one']],
    ['subRuns=true&limit=2', ['b/sub', 'Etl-c/one']],
    ['name=b', ['b/two']],
    ['name=b&subRuns=true', ['b/sub', 'b/two']],
    ['nameContains=ETL', ['Etl-c/one', 'etl-a/three', 'etl-a/one']],
    ['nameContains=etl&status=failed', ['etl-a/one']],
    ['nameContains=nothing', []],
    ['dagRunId=one', ['Etl-c/one', 'etl-a/one']],
    ['dagRunId=one&name=etl-a', ['etl-a/one']],
    ['dagRunId=one&nameContains=c', ['Etl-c/one']],
    ['dagRunId=one&status=succeeded', ['Etl-c/one']],
    ['dagRunId=nobody', []],
    ['fromDate=2026-01-03', ['Etl-c/one', 'etl-a/three']],
    ['toDate=2026-01-03T00:00:00Z', ['b/two', 'etl-a/one']],
    ['fromDate=2026-01-02T01:00:00%2B01:00&toDate=2026-01-04', ['etl-a/three', 'b/two']],
    [`fromDate=${Date.UTC(2026, 0, 4) / 1000}`, ['Etl-c/one']],
    ['fromDate=2026-01-01&name=etl-a', ['etl-a/three', 'etl-a/one']],
    ['fromDate=2026-01-02&nameContains=etl', ['Etl-c/one', 'etl-a/three']],
    ['fromDate=2026-01-04&subRuns=true', ['b/sub', 'Etl-c/one']],
    ['toDate=2026-01-04&status=failed,running', ['etl-a/one']],
    ['fromDate=2030-01-01', []],
    ['tags=prod', ['Etl-c/one', 'etl-a/one']],
    ['tags=PROD,nightly', ['etl-a/one']],
    ['tags=prod&tags=small', []],
    ['tags=prod,small&subRuns=true', ['b/sub']],
    ['tags=prod&name=Etl-c', ['Etl-c/one']],
    ['tags=prod&status=failed', ['etl-a/one']],
    ['tags=prod&fromDate=2026-01-02', ['Etl-c/one']],
    ['tags=none', []],
  ])('%s', async (query, expected) => {
    expect(await ids(fullHarness(), `/dag-runs?${query}`)).toEqual(expected);
  });

  test.each(['', 'fromDate=2026-01-01', 'tags=prod', 'nameContains=t', 'dagRunId=one'])(
    'paginates without gaps or duplicates: %s',
    async (query) => {
      const harness = fullHarness();
      const all = await ids(harness, `/dag-runs?${query}`);
      const seen: string[] = [];
      let cursor = '';
      do {
        const path = `/dag-runs?${query}&limit=1${cursor && `&cursor=${cursor}`}`;
        seen.push(...(await ids(harness, path)));
        cursor = ((await harness.get(path)).body['nextCursor'] as string | undefined) ?? '';
      } while (cursor !== '');
      expect(seen).toEqual(all);
    },
  );

  test.each([
    ['name', `name=${'x'.repeat(41)}`],
    ['name', 'name=a%2Fb'],
    ['dagRunId', 'dagRunId=a%20b'],
    ['fromDate', 'fromDate=yesterday'],
    ['fromDate', 'fromDate=2026-13-01'],
    ['fromDate', 'fromDate=2026-02-30'],
    ['toDate', 'toDate=2026-02-30T08:00:00Z'],
    ['toDate', 'toDate=1769846400000'],
    ['toDate', 'toDate='],
    ['status', 'status=cancelled'],
    ['cursor', 'cursor=x'],
    ['cursor', 'cursor=t12.1'],
    ['cursor', 'fromDate=2026-01-01&cursor=12'],
  ])('rejects an invalid %s: %s', async (field, query) => {
    const { status, body } = await fullHarness().get(`/dag-runs?${query}`);
    expect([status, body['code']]).toEqual([400, 'bad_request']);
    expect(JSON.stringify(body)).toContain(field);
  });
});

test('GET /dag-runs/{name} lists the runs of one name, however old', async () => {
  const harness = await openFullHarness();
  harness.engine.clock.jumpTo(Date.UTC(2030, 0, 1));
  expect(await ids(harness, '/dag-runs/etl-a')).toEqual(['etl-a/three', 'etl-a/one']);
  expect(await ids(harness, '/dag-runs/etl-a?status=failed')).toEqual(['etl-a/one']);
  expect(await ids(harness, '/dag-runs/etl-a?toDate=2026-01-02')).toEqual(['etl-a/one']);
  expect(await ids(harness, '/dag-runs/nobody')).toEqual([]);
  expect(await harness.get(`/dag-runs/${'x'.repeat(41)}`)).toMatchObject(bad('name'));
});

describe('GET /dags/{fileName}/dag-runs', () => {
  test('shows the steps of each run as a grid', async () => {
    const harness = await openApiHarness();
    harness.write(
      'job',
      'type: graph\nsteps: [{ name: a, command: "true" }, { name: gone, command: "true" }]',
    );
    await harness.engine.end(
      (await harness.send('POST', '/dags/job/start', { dagRunId: 'one' })).body as never,
    );
    const steps = '[{ name: a, command: "true" }, { name: b, command: "false", depends: a }]';
    harness.write('job', `type: graph\nsteps: ${steps}\nhandlerOn: { exit: "true", failure: "true" }`);
    await harness.engine.end(
      (await harness.send('POST', '/dags/job/start', { dagRunId: 'two' })).body as never,
    );
    const { status, body } = await harness.get('/dags/job/dag-runs');
    expect([status, body]).toMatchObject([200, { dagRuns: [{ dagRunId: 'two' }, { dagRunId: 'one' }] }]);
    expect(body['gridData']).toEqual([
      { name: 'a', section: 'step', history: ['succeeded', 'succeeded'] },
      { name: 'b', section: 'step', history: ['failed', null] },
      { name: 'gone', section: 'step', history: [null, 'succeeded'] },
      { name: 'onFailure', section: 'handler', history: ['succeeded', null] },
      { name: 'onExit', section: 'handler', history: ['succeeded', null] },
    ]);
    const first = (await harness.get('/dags/job/dag-runs?limit=1')).body;
    expect(first).toMatchObject({ dagRuns: [{ dagRunId: 'two' }], nextCursor: expect.any(String) });
    const next = await harness.get(`/dags/job/dag-runs?limit=1&cursor=${String(first['nextCursor'])}`);
    expect(next.body).toMatchObject({ dagRuns: [{ dagRunId: 'one' }] });
    expect(await harness.get('/dags/nobody/dag-runs')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await harness.get('/dags/job/dag-runs?limit=101')).toMatchObject({ status: 400 });
    expect(await harness.get('/dags/job/dag-runs/latest')).toMatchObject({
      status: 200,
      body: { dagRunId: 'two' },
    });
    expect(await harness.get('/dags/job/dag-runs/one')).toMatchObject({
      body: { dagRunId: 'one', workflow: {} },
    });
    expect(await harness.get('/dags/job/dag-runs/three')).toMatchObject({ status: 404 });
  });
});

test('POST /dags/{fileName}/stop-all stops active runs and dequeues waiting ones', async () => {
  const harness = await openApiHarness();
  harness.write('job', 'maxActiveRuns: -1\nsteps: ["sleep 1000"]');
  const runs: RunRef[] = [];
  for (const dagRunId of ['one', 'two'])
    runs.push((await harness.send('POST', '/dags/job/start', { dagRunId })).body as never);
  for (let count = 0; count < 25; count += 1) await harness.send('POST', '/dags/job/enqueue');
  await harness.engine.run('name: other\nsteps: ["true"]');
  expect(await harness.send('POST', '/dags/job/stop-all')).toMatchObject({
    status: 200,
    body: { stopped: 27, errors: [] },
  });
  for (const run of runs)
    expect(await harness.engine.end(run)).toMatchObject({ status: 'aborted', stopRequestedBy: 'http' });
  expect(await ids(harness, '/dag-runs/job?status=queued,running')).toEqual([]);
  expect((await harness.send('POST', '/dags/job/stop-all')).body).toEqual({ stopped: 0, errors: [] });
  expect(await harness.send('POST', '/dags/nobody/stop-all')).toMatchObject({ status: 404 });
});
