import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ApiHarness, openApiHarness } from '../../../harness/server.ts';

const spec = `
name: etl
type: graph
params: [{WHO: you}]
handlerOn: {exit: {command: echo over}}
steps:
  - name: extract
    command: echo rows of \${WHO}
    output: ROWS
  - {name: clean, command: echo clean, output: CLEAN, depends: [extract]}
  - name: load
    command: echo "load [\${ROWS}] [\${CLEAN}]"
    output: RESULT
    depends: [clean]
  - {name: aside, command: echo aside}
`;

interface RunView {
  status: string;
  onlySteps?: string[];
  params: unknown;
  steps: { name: string; status: string; output?: { name: string; value: unknown } }[];
  handlers: unknown[];
  outputs: Record<string, unknown>;
  file?: string;
  error?: string;
}

async function start(harness: ApiHarness, body: object): Promise<RunView> {
  const started = await harness.send('POST', '/dag-runs', body);
  expect(started.status).toBe(200);
  return harness.engine.end(started.body as never);
}

const stepsOf = ({ steps }: RunView) => steps.map(({ name, status }) => `${name} ${status}`);

describe('run of unsaved text', () => {
  test('resolves files relative to its intended path, whether or not there is a file', async () => {
    const harness = await openApiHarness();
    const dags = path.join(harness.engine.home, 'dags');
    mkdirSync(path.join(dags, 'work'));
    writeFileSync(path.join(dags, 'work', '.env'), 'FROM_FILE=dotenv\n');
    harness.write('child', 'steps:\n  - {name: c, command: echo child, output: C}\n');
    harness.write('etl', 'steps: ["exit 1"]');
    const unsaved = `
workingDir: work
steps:
  - {name: where, command: 'echo "$(basename "$PWD") $FROM_FILE"', output: WHERE}
  - {name: sub, run: ./child.yaml}
`;
    for (const fileName of ['etl', 'new-one']) {
      const run = await start(harness, { spec: unsaved, fileName, name: 'etl' });
      expect(run).toMatchObject({
        status: 'succeeded',
        outputs: { WHERE: 'work dotenv' },
        file: path.join(dags, `${fileName}.yaml`),
      });
      // It waits for a dispatcher, which this harness lacks.
      const waiting = await harness.send('POST', '/dag-runs/enqueue', {
        spec: unsaved,
        fileName,
        name: 'later',
      });
      expect((await harness.get(`/dag-runs/later/${String(waiting.body['dagRunId'])}`)).body).toMatchObject({
        status: 'queued',
        file: path.join(dags, `${fileName}.yaml`),
      });
      const dry = await harness.send('POST', '/dag-runs/dry', { spec: unsaved, fileName });
      expect(dry.body).toMatchObject({
        runnable: true,
        plans: [{ workingDir: { value: path.join(dags, 'work') }, dotenv: {} }, {}],
      });
    }
    expect((await harness.get('/dags/etl/spec')).body).toMatchObject({ spec: 'steps: ["exit 1"]' });
  });

  test('is rejected when the text has errors', async () => {
    const harness = await openApiHarness();
    for (const part of [{}, { steps: ['a'] }, { upTo: 'a' }])
      expect(
        await harness.send('POST', '/dag-runs', { spec: 'steps: [{comand: x}]', fileName: 'etl', ...part }),
      ).toMatchObject({
        status: 400,
        body: { code: 'invalid_spec', details: { diagnostics: [{ line: 1 }] } },
      });
  });
});

describe('run of selected steps', () => {
  test('runs these steps and no others, without handlers', async () => {
    const harness = await openApiHarness();
    const run = await start(harness, { spec, steps: ['load', 'aside'] });
    expect(stepsOf(run)).toEqual(['load succeeded', 'aside succeeded']);
    expect(run).toMatchObject({
      status: 'succeeded',
      onlySteps: ['load', 'aside'],
      handlers: [],
      outputs: { RESULT: 'load [] []' },
    });
    const { body } = await harness.get('/dag-runs?name=etl');
    expect(body).toMatchObject({ dagRuns: [{ onlySteps: ['load', 'aside'] }] });
  });

  test('runs a step and its dependencies', async () => {
    const harness = await openApiHarness();
    const run = await start(harness, { spec, upTo: 'clean' });
    expect(stepsOf(run)).toEqual(['extract succeeded', 'clean succeeded']);
    expect(run.outputs).toEqual({ ROWS: 'rows of you', CLEAN: 'clean' });
  });

  test('uses the outputs of earlier steps of another run on request', async () => {
    const harness = await openApiHarness();
    const whole = await start(harness, { spec, params: 'WHO=me', dagRunId: 'whole' });
    expect(whole.onlySteps).toBeUndefined();
    const changed = spec.replace('load [', 'changed [');
    for (const outputsFrom of ['whole', 'latest']) {
      const run = await start(harness, { spec: changed, steps: ['load'], outputsFrom });
      expect(run.outputs).toEqual({ RESULT: 'changed [rows of me] [clean]' });
      // In a repeated run these are ordinary parameters.
      expect(run.params).toEqual([
        { name: 'WHO', value: 'you' },
        { name: 'ROWS', value: 'rows of me' },
        { name: 'CLEAN', value: 'clean' },
      ]);
      if (outputsFrom === 'whole') await start(harness, { spec, dagRunId: 'again', params: 'WHO=me' });
    }
    // The selection has CLEAN itself.
    const both = await start(harness, { spec, steps: ['clean', 'load'], outputsFrom: 'whole' });
    expect(both.outputs).toEqual({ CLEAN: 'clean', RESULT: 'load [rows of me] [clean]' });
  });

  test('keeps its selection when it is retried or repeated', async () => {
    const harness = await openApiHarness();
    const brittle = spec.replace('echo aside', 'exit 3');
    const first = await start(harness, { spec: brittle, steps: ['aside'], dagRunId: 'one' });
    expect(stepsOf(first)).toEqual(['aside failed']);
    expect((await harness.get('/dag-runs/etl/one/retry-plan')).body).toMatchObject({
      steps: [{ name: 'aside', action: 'run' }],
      handlers: [],
    });
    const retried = await harness.send('POST', '/dag-runs/etl/one/retry', {});
    expect(stepsOf((await harness.engine.end(retried.body as never)) as unknown as RunView)).toEqual([
      'aside failed',
    ]);
    const repeated = await harness.send('POST', '/dag-runs/etl/one/reschedule', { dagRunId: 'two' });
    expect(await harness.engine.end(repeated.body as never)).toMatchObject({
      dagRunId: 'two',
      onlySteps: ['aside'],
      steps: [{ name: 'aside', status: 'failed' }],
    });
  });

  test('is rejected for unknown steps and conflicting options', async () => {
    const harness = await openApiHarness();
    const refused = async (body: object) => (await harness.send('POST', '/dag-runs', { spec, ...body })).body;
    expect(await refused({ steps: ['laod'] })).toMatchObject({
      code: 'not_found',
      message: 'etl has no step "laod". Did you mean "load"?',
    });
    expect(await refused({ upTo: 'nothing' })).toMatchObject({ code: 'not_found' });
    expect(await refused({ steps: ['load'], outputsFrom: 'none' })).toMatchObject({ code: 'not_found' });
    expect(await refused({ steps: ['load'], outputsFrom: 'latest' })).toMatchObject({ code: 'not_found' });
    for (const wrong of [
      { steps: ['load'], upTo: 'load' },
      { outputsFrom: 'one' },
      { upTo: 'load', outputsFrom: 'one' },
    ])
      expect(await refused(wrong)).toMatchObject({ code: 'bad_request' });
    expect(await refused({ steps: [] })).toMatchObject({ code: 'bad_request', details: { field: 'steps' } });
    expect((await harness.get('/dag-runs')).body).toMatchObject({ dagRuns: [] });
  });
});
