import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ManualWorker } from '../../../harness/cluster.ts';
import { statusesOf, stdoutOf, TestEngine, testCaller } from '../../../harness/engine.ts';

/** An engine and a worker with the label gpu=true. */
async function openBoth(options: { readonly slots?: number } = {}) {
  const engine = new TestEngine();
  const worker = new ManualWorker(engine, options);
  await worker.work();
  return { engine, worker };
}

const remote = 'workerSelector: { gpu: "true" }';

describe('step whose selector names labels', () => {
  it('runs on a worker that has them, and its output is available to local steps', async () => {
    const { engine, worker } = await openBoth();
    const run = await engine.run(`
steps:
  - name: train
    command: echo "weights of $DAG_RUN_ID"; echo fence $ENGINE_FENCE attempt $ENGINE_STEP_ATTEMPT >&2
    output: WEIGHTS
    ${remote}
  - name: after
    command: echo "got $WEIGHTS in attempt $ENGINE_STEP_ATTEMPT"
`);
    expect(statusesOf(run)).toEqual({ train: 'succeeded', after: 'succeeded' });
    expect(stdoutOf(run, 'after')).toBe(`got weights of ${run.dagRunId} in attempt 1\n`);
    expect(readFileSync(run.steps[0]!.attempts[0]!.stderrFile, 'utf8')).toBe('fence 1 attempt 1\n');
    expect(run.outputs).toEqual({ WEIGHTS: `weights of ${run.dagRunId}` });
    expect(worker.had.map(({ task }) => task.node.name)).toEqual(['train']);
    expect(run.steps[0]!.attempts).toMatchObject([{ worker: { id: 'w1', host: 'w1.example' } }]);
    expect(run.steps[1]!.attempts[0]!.worker).toBeUndefined();
    await expect.poll(() => worker.store.listTasks({ limit: 10 })).toEqual([]);
  });

  it('gets values of the run, and nothing of the system of its host; its directory is the worker’s', async () => {
    const { engine, worker } = await openBoth();
    const run = await engine.run(`
env: [{ REGION: eu }]
params: { BATCH: 7 }
workingDir: /srv/of/the/worker
workerSelector: { gpu: "true" }
steps:
  - id: first
    command: echo one
    output: ONE
  - { name: second, dir: data, command: 'true', shell: bash -e }
`);
    expect(run.status).toBe('succeeded');
    const [first, second] = worker.had.map(({ task }) => task);
    expect(second!.env).toMatchObject({ REGION: 'eu', BATCH: '7', ONE: 'one', DAG_RUN_ID: run.dagRunId });
    for (const name of ['PATH', 'HOME', 'PWD', 'DAG_RUN_LOG_FILE', 'DAG_RUN_STEP_STDOUT_FILE'])
      expect(second!.env).not.toHaveProperty(name);
    expect(first!.workingDir).toBe('/srv/of/the/worker');
    expect(second!.workingDir).toBe('/srv/of/the/worker/data');
    expect(second!.shell).toEqual(['bash', '-e']);
    expect(second!.properties).toMatchObject({ 'first.exitCode': '0' });
    expect(existsSync('/srv/of/the/worker')).toBe(false);
  });

  it('fails where no workers were ever set up, and so does a start of such a workflow', async () => {
    const engine = new TestEngine();
    const own = await engine.run(`steps: [{ name: train, command: touch ran, ${remote} }]`);
    expect(own.steps[0]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^no worker matches gpu=true: no workers have been set up in this home\./),
    });
    const whole = `${remote}\nsteps: [echo]`;
    await expect(engine.start(whole)).rejects.toMatchObject({
      code: 'no_worker',
      details: { workerSelector: { gpu: 'true' } },
    });
    await expect(engine.host.enqueueRun({ source: { spec: whole }, trigger: 'api' })).rejects.toMatchObject({
      code: 'no_worker',
    });
  });

  it('reports why it waits, and again when that has changed', async () => {
    const engine = new TestEngine();
    const cpu = new ManualWorker(engine, { id: 'cpu', labels: { region: 'eu' } });
    await cpu.report();
    const ref = await engine.start(`steps: [{ name: train, command: 'true', ${remote} }]`);
    const none = await engine.untilRun(ref, ({ steps }) => steps[0]!.waiting !== undefined);
    expect(none.steps[0]).toMatchObject({
      status: 'running',
      waiting: 'no worker matches gpu=true (1 worker: cpu region=eu)',
    });
    const full = new ManualWorker(engine, { id: 'full' });
    await full.report();
    engine.clock.advance(5000);
    const busy = await engine.untilRun(
      ref,
      ({ steps }) => steps[0]!.waiting?.startsWith('the only') === true,
    );
    expect(busy.steps[0]!.waiting).toBe('the only matching worker is busy');
    await full.work();
    const done = await engine.end(ref);
    expect(done.steps[0]).toMatchObject({ status: 'succeeded', attempts: [{ worker: { id: 'full' } }] });
    expect(done.steps[0]!.waiting).toBeUndefined();
  });

  it('has its timeout from the assignment on, however long it has waited', async () => {
    const engine = new TestEngine();
    const worker = new ManualWorker(engine);
    await worker.report();
    const ref = await engine.start(
      `steps: [{ name: slow, command: sleep 60, timeoutSec: 1, ${remote}, retryPolicy: { limit: 2, intervalSec: 0 } }]`,
    );
    await engine.untilRun(ref, ({ steps }) => steps[0]!.waiting !== undefined);
    engine.clock.advance(10_000);
    await worker.work();
    const run = await engine.end(ref);
    expect(run.steps[0]).toMatchObject({
      status: 'failed',
      exitCode: 124,
      error: 'step timed out after 1 s',
      attempts: [{ worker: { id: 'w1' } }],
    });
  });

  it('runs its handlers as configured, and continueOn.output reads its log', async () => {
    const { engine, worker } = await openBoth();
    const run = await engine.run(`
${remote}
handlerOn: { exit: echo bye }
steps:
  - { name: odd, command: echo "known fault"; exit 3, continueOn: { output: known } }
  - { name: after, command: echo after }
`);
    expect(statusesOf(run)).toEqual({ odd: 'failed', after: 'succeeded', onExit: 'succeeded' });
    expect(worker.had.map(({ task }) => task.node.name)).toEqual(['odd', 'after', 'onExit']);
  });

  it('passes secrets and masks them in its results', async () => {
    process.env['REMOTE_TEST_SECRET'] = 'hunter2-hunter2';
    const { engine, worker } = await openBoth();
    const run = await engine.run(`
secrets: [{ name: TOKEN, provider: env, key: REMOTE_TEST_SECRET }]
steps:
  - { name: leak, command: echo "$TOKEN", output: SEEN, ${remote} }
`);
    delete process.env['REMOTE_TEST_SECRET'];
    const { task } = worker.had[0]!;
    expect(task.env['TOKEN']).toBe('hunter2-hunter2');
    expect(task.masked).toContain('hunter2-hunter2');
    expect(JSON.stringify(run)).not.toContain('hunter2');
  });
});

describe('items of parallel', () => {
  it('run on workers one by one, with their outputs in order', async () => {
    const { engine, worker } = await openBoth({ slots: 2 });
    const run = await engine.run(`
steps:
  - name: each
    parallel: [a, b, c]
    command: echo "item $ITEM"
    output: ALL
    ${remote}
`);
    expect(run.outputs['ALL']).toMatchObject({
      summary: { total: 3, succeeded: 3 },
      outputs: ['item a', 'item b', 'item c'],
    });
    expect(worker.had.map(({ task }) => task.item).toSorted((a, b) => a! - b!)).toEqual([1, 2, 3]);
    const { name, dagRunId } = run;
    const { items } = await engine.host.api.call('runs.items', { name, dagRunId, step: 'each' }, testCaller);
    expect(items.map(({ worker: at }) => at?.id)).toEqual(['w1', 'w1', 'w1']);
  });
});

describe('sub-workflow', () => {
  it('inherits the selector of its step, unless it has its own', async () => {
    const { engine, worker } = await openBoth();
    const other = new ManualWorker(engine, { id: 'other', labels: { gpu: 'false' } });
    await other.work();
    const run = await engine.run(`
steps:
  - { name: call, run: child, ${remote} }
---
name: child
steps:
  - { name: inner, command: 'true' }
  - { name: own, command: 'true', workerSelector: { gpu: "false" } }
`);
    expect(run.status).toBe('succeeded');
    expect(worker.had.map(({ task }) => task.node.name)).toEqual(['inner']);
    expect(other.had.map(({ task }) => task.node.name)).toEqual(['own']);
  });
});

describe('lost worker', () => {
  const spec = (more = '') => `
steps:
  - name: train
    command: test "$ENGINE_STEP_ATTEMPT" = 2 || sleep 60
    ${remote}
${more}`;

  it('fails the attempt, and the step without a retryPolicy', async () => {
    const { engine, worker } = await openBoth();
    const ref = await engine.start(spec());
    await engine.untilRun(ref, ({ steps }) => steps[0]!.attempts[0]?.worker !== undefined);
    worker.die();
    await worker.store.removeWorker('w1');
    const run = await engine.end(ref);
    expect(run.steps[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(/^worker_lost: /) });
  });

  it('has its attempt retried by another one when a retryPolicy says so', async () => {
    const { engine, worker } = await openBoth();
    const ref = await engine.start(spec('    retryPolicy: { limit: 1, intervalSec: 0 }'));
    await engine.untilRun(ref, ({ steps }) => steps[0]!.attempts[0]?.worker !== undefined);
    worker.die();
    await worker.store.removeWorker('w1');
    const second = new ManualWorker(engine, { id: 'w2' });
    await second.work();
    const run = await engine.end(ref);
    expect(run.steps[0]).toMatchObject({
      status: 'succeeded',
      attempts: [
        { worker: { id: 'w1' }, error: expect.stringMatching(/^worker_lost/) },
        { worker: { id: 'w2' } },
      ],
    });
  });
});

describe('stop', () => {
  it('ends the step on its worker', async () => {
    const { engine } = await openBoth();
    const ref = await engine.start(`steps: [{ name: train, command: sleep 60, ${remote} }]`);
    await engine.untilRun(ref, ({ steps }) => steps[0]!.attempts[0]?.worker !== undefined);
    await engine.host.api.call('runs.stop', ref, testCaller);
    const run = await engine.end(ref);
    expect(run).toMatchObject({ status: 'aborted', steps: [{ status: 'aborted', signal: 'SIGTERM' }] });
  });

  it('withdraws what no worker has started', async () => {
    const engine = new TestEngine();
    const worker = new ManualWorker(engine);
    await worker.report();
    const ref = await engine.start(`steps: [{ name: train, command: sleep 60, ${remote} }]`);
    await engine.untilRun(ref, ({ steps }) => steps[0]!.waiting !== undefined);
    await engine.host.api.call('runs.stop', ref, testCaller);
    const run = await engine.end(ref);
    expect(run).toMatchObject({ status: 'aborted', steps: [{ status: 'aborted' }] });
    await expect.poll(() => worker.store.listTasks({ limit: 10 })).toEqual([]);
    await worker.work();
    expect(worker.had).toEqual([]);
  });

  it('ends without an unreachable worker, and says that its command may continue', async () => {
    const { engine, worker } = await openBoth();
    const ref = await engine.start(`steps: [{ name: train, command: sleep 60, ${remote} }]`);
    await engine.untilRun(ref, ({ steps }) => steps[0]!.attempts[0]?.worker !== undefined);
    worker.vanish();
    await engine.host.api.call('runs.stop', ref, testCaller);
    engine.clock.advance(31_000);
    const run = await engine.end(ref);
    expect(run).toMatchObject({ status: 'aborted', steps: [{ status: 'aborted' }] });
    const log = readFileSync(path.join(run.logDir!, 'run.log'), 'utf8');
    expect(log).toContain('on worker w1 (w1.example) may still be running: worker w1 is unreachable');
    worker.die();
  });
});
