import { describe, expect, it } from 'vitest';
import { ManualWorker } from '../../../harness/cluster.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { ScheduledHome, QueueHarness } from '../dispatch-harness.ts';

const gpu = 'workerSelector: {gpu: "true"}';
const reason = /^no worker matches gpu=true: no workers have been set up/;

describe('run whose steps need workers', () => {
  it('is started by a host in its turn, and runs its steps on a worker', async () => {
    const harness = new QueueHarness();
    const worker = new ManualWorker(harness.engine);
    await worker.work();
    await harness.enqueue('a', {}, gpu);
    harness.engine.host.processQueues();
    await harness.untilStarted('a');
    harness.go('a');
    await harness.until('a', 'succeeded');
    expect(worker.had).toHaveLength(1);
  });

  it('is rejected when no workers were ever set up, and nothing is stored', async () => {
    const harness = new QueueHarness();
    await expect(harness.engine.start(harness.spec(gpu))).rejects.toMatchObject({
      code: 'no_worker',
      message: expect.stringMatching(reason),
    });
    await expect(harness.enqueue('a', {}, gpu)).rejects.toMatchObject({ code: 'no_worker' });
    expect((await harness.engine.call('runs.list', {})).dagRuns).toEqual([]);
  });

  it('waits for coordinators and workers that have all been shut down', async () => {
    const harness = new QueueHarness();
    const worker = new ManualWorker(harness.engine);
    const coordinator = { id: 'c1', url: 'https://c1', version: 'test', host: 'c1', pid: 1, workers: 0 };
    await worker.store.heartbeatCoordinator(coordinator);
    await worker.store.leaveCoordinator('c1');
    const ref = await harness.engine.start(harness.spec(gpu));
    const view = await harness.engine.untilRun(ref, ({ steps }) => steps[0]!.waiting !== undefined);
    expect(view.steps[0]!.waiting).toBe('no worker matches gpu=true (no workers are connected)');
  });
});

describe('schedule of a workflow that needs workers', () => {
  it('reports at each time that no workers are set up', async () => {
    const home = new ScheduledHome();
    home.write('job', `name: job\nschedule: "*/10 * * * * *"\n${gpu}\nsteps: ["true"]\n`);
    const engine = await home.serve();
    await home.pass(35);
    const { dagRuns } = await engine.host.api.call('runs.list', {}, testCaller);
    expect(dagRuns).toEqual([]);
  });
});
describe('stored reason of a waiting run', () => {
  const etl = 'queues: {config: [{name: etl, maxConcurrency: 1}]}';

  it('is that of its queue when the queue was last seen blocked, with the time, and survives all hosts', async () => {
    const harness = new QueueHarness(etl);
    harness.engine.host.processQueues();
    for (const id of ['a', 'b', 'c']) await harness.enqueue(id, {}, 'queue: etl');
    await harness.untilStarted('a');
    await harness.clock.pass(5000);
    await harness.engine.settle();
    const { kept } = (await harness.get('c')).wait!;
    expect(kept!.reason).toBe('queue etl 1/1: behind run job a');
    expect((await harness.engine.call('queues.list', {})).queues[0]!.hold).toEqual(kept);
    harness.go('a');
    await harness.engine.host.close('leave');
    await harness.clock.pass(3_600_000);
    const later = new TestEngine({ home: harness.home, clock: harness.clock });
    expect(await later.get({ name: 'job', dagRunId: 'c' })).toMatchObject({
      status: 'queued',
      error: 'no scheduler is running: start the app or "engine scheduler"',
      wait: { kind: 'no_host', kept: { reason: expect.stringMatching(/^queue etl 1\/1: behind run job/) } },
    });
  });

  it('is the pause while its queue is paused', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('a');
    await harness.clock.pass(1000);
    await harness.engine.call('queues.pause', { queue: 'job' });
    const at = new Date(harness.clock.now()).toISOString();
    await harness.clock.pass(1000);
    expect((await harness.get('a')).wait?.kept).toEqual({ reason: 'queue job is paused by the test', at });
  });

  it('is that of the enqueuing until a host has checked', async () => {
    const harness = new QueueHarness();
    const at = new Date(harness.clock.now()).toISOString();
    await harness.enqueue('a');
    await harness.clock.pass(1000);
    expect((await harness.get('a')).wait?.kept).toEqual({
      reason: 'queue job 0/1: next to start',
      at,
    });
  });
});
