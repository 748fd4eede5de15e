import { describe, expect, it } from 'vitest';
import { TestEngine, testCaller } from '../../rig/test-engine.ts';
import { ScheduledHome } from '../scheduler/scheduler-rig.ts';
import { QueueHouse } from './queue-house.ts';

const gpu = 'workerSelector: {gpu: "yes"}';
const reason = 'no worker matches gpu=yes';

describe('a run that only a worker may have', () => {
  it('is put into its queue by a start, and waits there however long', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    await house.engine.start(house.spec(gpu), { dagRunId: 'a' });
    house.clock.advance(30_000);
    await house.settle();
    expect(await house.get('a')).toMatchObject({
      status: 'queued',
      error: reason,
      wait: { kind: 'no_worker', queue: 'job', workerSelector: { gpu: 'yes' }, kept: { reason } },
    });
    expect(house.begun).toEqual([]);
  });

  it('keeps nobody waiting behind it, and counts in no place of the queue', async () => {
    const house = new QueueHouse();
    for (const id of ['a', 'b', 'c']) await house.enqueue(id, { priority: 9 }, gpu);
    for (const id of ['d', 'e']) await house.enqueue(id);
    expect((await house.get('e')).wait).toMatchObject({ ahead: 1 });
    house.engine.host.processQueues();
    await house.untilBegun('d');
    expect((await house.get('e')).error).toBe('queue job 1/1: behind run job d');
    for (const id of ['d', 'e']) house.go(id);
    await house.until('e', 'succeeded');
    expect(house.begun).toEqual(['d', 'e']);
    expect((await house.call('queues.list', {})).queues).toMatchObject([
      { name: 'job', runningCount: 0, queuedCount: 3, queued: [{ error: reason }, {}, {}] },
    ]);
  });

  it('is dequeued and stopped as every other', async () => {
    const house = new QueueHouse();
    for (const id of ['a', 'b', 'c']) await house.enqueue(id, {}, gpu);
    expect(await house.call('queues.dequeue', { queue: 'job' })).toMatchObject({ dagRunId: 'a' });
    await house.call('runs.dequeue', { name: 'job', dagRunId: 'b' });
    await house.call('runs.stop', { name: 'job', dagRunId: 'c' });
    for (const id of ['a', 'b', 'c']) expect((await house.get(id)).status).toBe('aborted');
  });

  it('says so whether or not a host is there, but not while its queue is paused', async () => {
    const house = new QueueHouse();
    await house.enqueue('a', {}, gpu);
    expect((await house.get('a')).wait?.kind).toBe('no_worker');
    await house.call('queues.pause', { queue: 'job' });
    expect((await house.get('a')).wait?.kind).toBe('paused');
  });

  it('is refused by a start while queues are switched off, and nothing is stored', async () => {
    const house = new QueueHouse('queues: {enabled: false}');
    await expect(house.engine.start(house.spec(gpu))).rejects.toMatchObject({
      code: 'no_worker',
      message: `${reason}: this installation has no workers; remove workerSelector or connect a worker`,
    });
    expect((await house.call('runs.list', {})).dagRuns).toEqual([]);
  });

  it('is refused by a start while its queue runs dry, and as singleton while another one waits', async () => {
    const house = new QueueHouse();
    await house.engine.start(house.spec(gpu), { singleton: true });
    await expect(house.engine.start(house.spec(gpu), { singleton: true })).rejects.toMatchObject({
      code: 'still_running',
    });
    await house.call('queues.drain', { queue: 'job' });
    await expect(house.engine.start(house.spec(gpu))).rejects.toMatchObject({ code: 'queue_closed' });
  });

  it('is never run here by a retry, and waits again when it is started from an earlier one', async () => {
    const house = new QueueHouse();
    const run = await house.enqueue('a', {}, gpu);
    await house.call('runs.dequeue', run);
    await expect(house.call('runs.retry', run)).rejects.toMatchObject({ code: 'no_worker' });
    const again = await house.call('runs.reschedule', { name: 'job', fromRunId: 'a' });
    expect((await house.get(again.dagRunId)).error).toBe(reason);
    expect(house.begun).toEqual([]);
  });
});

describe('a schedule of a workflow for workers', () => {
  it('enqueues one run, and leaves out further times while it waits', async () => {
    const home = new ScheduledHome();
    home.write('job', `name: job\nschedule: "*/10 * * * * *"\n${gpu}\nsteps: ["true"]\n`);
    const engine = await home.serve();
    await home.pass(35);
    const { dagRuns } = await engine.host.api.call('runs.list', {}, testCaller);
    expect(dagRuns).toMatchObject([{ status: 'queued', trigger: 'schedule', error: reason }]);
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
      error: 'no host processes queues: start the app or "engine scheduler"',
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
      reason: 'queue job 0/1: next to be started',
      at,
    });
  });
});
