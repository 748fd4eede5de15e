import { describe, expect, it } from 'vitest';
import { HandWorker } from '../../rig/hand-worker.ts';
import { TestEngine, testCaller } from '../../rig/test-engine.ts';
import { ScheduledHome } from '../scheduler/scheduler-rig.ts';
import { QueueHouse } from './queue-house.ts';

const gpu = 'workerSelector: {gpu: "true"}';
const reason = /^no worker matches gpu=true: no workers have been set up/;

describe('a run whose steps are for workers', () => {
  it('is started by a host in its turn, and does its steps on a worker', async () => {
    const house = new QueueHouse();
    const worker = new HandWorker(house.engine);
    await worker.work();
    await house.enqueue('a', {}, gpu);
    house.engine.host.processQueues();
    await house.untilBegun('a');
    house.go('a');
    await house.until('a', 'succeeded');
    expect(worker.had).toHaveLength(1);
  });

  it('is refused while nothing has ever been set up for workers, and nothing is stored', async () => {
    const house = new QueueHouse();
    await expect(house.engine.start(house.spec(gpu))).rejects.toMatchObject({
      code: 'no_worker',
      message: expect.stringMatching(reason),
    });
    await expect(house.enqueue('a', {}, gpu)).rejects.toMatchObject({ code: 'no_worker' });
    expect((await house.call('runs.list', {})).dagRuns).toEqual([]);
  });

  it('waits for the return of coordinators and workers that have all been shut down', async () => {
    const house = new QueueHouse();
    const worker = new HandWorker(house.engine);
    const coordinator = { id: 'c1', url: 'https://c1', version: 'test', host: 'c1', pid: 1, workers: 0 };
    await worker.store.beatCoordinator(coordinator);
    await worker.store.leaveCoordinator('c1');
    const ref = await house.engine.start(house.spec(gpu));
    const view = await house.engine.untilRun(ref, ({ steps }) => steps[0]!.waiting !== undefined);
    expect(view.steps[0]!.waiting).toBe('no worker matches gpu=true (no workers are connected)');
  });
});

describe('a schedule of a workflow for workers', () => {
  it('says at each time that nothing has been set up for them', async () => {
    const home = new ScheduledHome();
    home.write('job', `name: job\nschedule: "*/10 * * * * *"\n${gpu}\nsteps: ["true"]\n`);
    const engine = await home.serve();
    await home.pass(35);
    const { dagRuns } = await engine.host.api.call('runs.list', {}, testCaller);
    expect(dagRuns).toEqual([]);
  });
});
describe('the reason that is kept for a waiting run', () => {
  const etl = 'queues: {config: [{name: etl, maxConcurrency: 1}]}';

  it('is that of its queue when the queue was seen held, with the time, and outlives all hosts', async () => {
    const house = new QueueHouse(etl);
    house.engine.host.processQueues();
    for (const id of ['a', 'b', 'c']) await house.enqueue(id, {}, 'queue: etl');
    await house.untilBegun('a');
    house.clock.advance(5000);
    await house.settle();
    const { kept } = (await house.get('c')).wait!;
    expect(kept!.reason).toBe('queue etl 1/1: behind run job a');
    expect((await house.call('queues.list', {})).queues[0]!.hold).toEqual(kept);
    house.go('a');
    await house.engine.host.close('leave');
    house.clock.advance(3_600_000);
    const later = new TestEngine({ home: house.home, clock: house.clock });
    expect(await later.get({ name: 'job', dagRunId: 'c' })).toMatchObject({
      status: 'queued',
      error: 'no scheduler is running: start the app or "engine scheduler"',
      wait: { kind: 'no_host', kept: { reason: expect.stringMatching(/^queue etl 1\/1: behind run job/) } },
    });
  });

  it('is that of the pause while its queue is paused', async () => {
    const house = new QueueHouse();
    await house.enqueue('a');
    house.clock.advance(1000);
    await house.call('queues.pause', { queue: 'job' });
    const at = new Date(house.clock.now()).toISOString();
    house.clock.advance(1000);
    expect((await house.get('a')).wait?.kept).toEqual({ reason: 'queue job is paused by the test', at });
  });

  it('is that of the moment in which it was enqueued until a host has looked', async () => {
    const house = new QueueHouse();
    const at = new Date(house.clock.now()).toISOString();
    await house.enqueue('a');
    house.clock.advance(1000);
    expect((await house.get('a')).wait?.kept).toEqual({
      reason: 'queue job 0/1: next to start',
      at,
    });
  });
});
