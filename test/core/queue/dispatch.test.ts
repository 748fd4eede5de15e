import { describe, expect, it } from 'vitest';
import { TestEngine, stdoutOf } from '../../rig/test-engine.ts';
import { QueueHouse } from './queue-house.ts';

const etl = 'queues: {config: [{name: etl, maxConcurrency: 2}]}';

describe('a run that is enqueued', () => {
  it('is started by a host that processes queues, and ends', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    const run = await house.enqueue('a');
    house.go('a');
    expect(await house.engine.end(run)).toMatchObject({
      status: 'succeeded',
      wait: undefined,
      error: undefined,
    });
    expect(house.begun).toEqual(['a']);
  });

  it('is started by a host that comes later', async () => {
    const house = new QueueHouse();
    await house.enqueue('a');
    await house.settle();
    expect(await house.get('a')).toMatchObject({
      status: 'queued',
      wait: { kind: 'no_host', queue: 'job' },
      error: 'no scheduler is running: start the app or "engine scheduler"',
    });
    house.go('a');
    const later = new TestEngine({ home: house.home, clock: house.clock });
    later.host.processQueues();
    expect(await later.end({ name: 'job', dagRunId: 'a' })).toMatchObject({ status: 'succeeded' });
  });

  it('keeps the text and the parameters of the moment in which it was enqueued', async () => {
    const house = new QueueHouse();
    const text = (word: string): string =>
      `params: DAY=\`echo ${word}\` FIXED=x\nsteps:\n  - command: echo ${word} $DAY $FIXED\n`;
    house.write('report', text('old'));
    const { dagRunId } = await house.call('dags.enqueue', { fileName: 'report', params: 'FIXED=mine' });
    house.write('report', text('new'));
    house.engine.host.processQueues();
    const view = await house.engine.end({ name: 'report', dagRunId });
    expect(stdoutOf(view, view.steps[0]!.name)).toBe('old old mine\n');
  });

  it('is refused while queues are switched off; what waits says so', async () => {
    const house = new QueueHouse();
    await house.enqueue('a');
    house.configure('queues: {enabled: false}');
    const off = new TestEngine({ home: house.home, clock: house.clock });
    off.host.processQueues();
    const request = { source: { spec: house.spec() }, trigger: 'api' } as const;
    await expect(off.host.enqueueRun(request)).rejects.toMatchObject({ code: 'queue_closed' });
    house.clock.advance(10_000);
    await house.settle();
    expect(await off.get({ name: 'job', dagRunId: 'a' })).toMatchObject({
      status: 'queued',
      error: 'queues are disabled in the configuration (queues.enabled)',
    });
  });

  it('is refused as singleton while another one waits or is active', async () => {
    const house = new QueueHouse();
    await house.enqueue('a');
    await expect(house.enqueue('b', { singleton: true })).rejects.toMatchObject({ code: 'still_running' });
    house.engine.host.processQueues();
    await house.untilBegun('a');
    await expect(house.enqueue('c', { singleton: true })).rejects.toMatchObject({ code: 'still_running' });
    house.go('a');
    await house.until('a', 'succeeded');
    await house.enqueue('d', { singleton: true });
  });

  it.each([
    [
      { queue: ' etl' },
      /Invalid queue name " etl"\. Use 1 to 255 characters without leading or trailing spaces\./,
    ],
    [{ priority: 1.5 }, /whole number from -1000 to 1000/],
    [{ dagRunId: 'no id' }, /Invalid run id "no id"\. Use at most 64 letters, digits, "-" and "_"\./],
  ])('is refused with %j', async (request, message) => {
    const house = new QueueHouse();
    await expect(house.enqueue('a', request)).rejects.toThrow(message);
    expect((await house.call('runs.list', {})).dagRuns).toEqual([]);
  });
});

describe('a queue', () => {
  it('has the limit of the configuration, and starts in order as places become free', async () => {
    const house = new QueueHouse(etl);
    house.engine.host.processQueues();
    for (const id of ['a', 'b', 'c', 'd']) await house.enqueue(id, {}, 'queue: etl');
    await house.untilBegun('a');
    await house.untilBegun('b');
    expect((await house.get('c')).error).toBe('queue etl 2/2: behind runs job a, job b');
    expect(await house.get('d')).toMatchObject({ status: 'queued', wait: { kind: 'behind', ahead: 1 } });
    house.go('b');
    await house.untilBegun('c');
    expect(house.begun.toSorted()).toEqual(['a', 'b', 'c']);
    for (const id of ['a', 'c', 'd']) house.go(id);
    await house.until('d', 'succeeded');
  });

  it('of a workflow has its maxActiveRuns, and counts runs that were started directly', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    await house.engine.start(house.spec(), { dagRunId: 'direct' });
    await house.untilBegun('direct');
    await house.enqueue('a');
    await house.settle();
    expect((await house.get('a')).error).toBe('queue job 1/1: behind run job direct');
    house.go('direct');
    house.go('a');
    await house.until('a', 'succeeded');
  });

  it('of a workflow has the limit of the configuration where that names it', async () => {
    const house = new QueueHouse('queues: {config: [{name: job, maxConcurrency: 2}]}');
    house.engine.host.processQueues();
    for (const id of ['a', 'b', 'c']) await house.enqueue(id);
    await house.untilBegun('a');
    await house.untilBegun('b');
    expect((await house.get('c')).error).toBe('queue job 2/2: behind runs job a, job b');
    for (const id of ['a', 'b', 'c']) house.go(id);
    await house.until('c', 'succeeded');
  });

  it('starts higher priorities first', async () => {
    const house = new QueueHouse();
    for (const [id, priority] of [
      ['low', -1],
      ['first', 0],
      ['second', 0],
      ['high', 9],
    ] as const) {
      await house.enqueue(id, { priority });
      house.go(id);
    }
    house.engine.host.processQueues();
    await house.until('low', 'succeeded');
    expect(house.begun).toEqual(['high', 'first', 'second', 'low']);
  });

  it('that is paused starts nothing until it is resumed, by whatever process', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    const elsewhere = new TestEngine({ home: house.home, clock: house.clock });
    house.write('job', house.spec());
    expect(await house.call('queues.pause', { queue: 'job' })).toMatchObject({
      state: 'paused',
      changedBy: 'the test',
    });
    await house.enqueue('a');
    house.clock.advance(20_000);
    await house.settle();
    expect(await house.get('a')).toMatchObject({
      status: 'queued',
      error: 'queue job is paused by the test',
    });
    house.go('a');
    await elsewhere.host.api.call('queues.resume', { queue: 'job' }, { via: 'cli', name: 'somebody' });
    house.clock.advance(1000);
    await house.until('a', 'succeeded');
  });

  it('that is drained takes nothing new and starts what waits', async () => {
    const house = new QueueHouse();
    await house.enqueue('a');
    await house.call('queues.drain', { queue: 'job' });
    await expect(house.enqueue('b')).rejects.toMatchObject({ code: 'queue_closed' });
    house.go('a');
    house.engine.host.processQueues();
    await house.until('a', 'succeeded');
    expect(await house.call('queues.resume', { queue: 'job' })).toMatchObject({ state: 'open' });
    await house.enqueue('b');
  });

  it('is listed with what is active and what waits', async () => {
    const house = new QueueHouse(etl);
    house.engine.host.processQueues();
    for (const id of ['a', 'b', 'c']) await house.enqueue(id, { queue: 'etl' });
    await house.untilBegun('a');
    await house.untilBegun('b');
    const { queues, summary, processed } = await house.call('queues.list', {});
    expect(queues).toMatchObject([
      {
        ...{ name: 'etl', type: 'global', state: 'open', maxConcurrency: 2, runningCount: 2, queuedCount: 1 },
        running: [{ dagRunId: 'a' }, { dagRunId: 'b' }],
        queued: [{ dagRunId: 'c', wait: { kind: 'full' } }],
      },
    ]);
    expect(summary).toEqual({
      ...{ totalQueues: 1, totalRunning: 2, totalQueued: 1, totalCapacity: 2 },
      utilizationPercentage: 100,
    });
    expect(processed).toBe(true);
    const page = await house.call('queues.items', { queue: 'etl', limit: 1 });
    expect(page.items).toMatchObject([{ run: { dagRunId: 'c' }, priority: 0 }]);
    expect(await house.call('queues.items', { queue: 'etl', cursor: page.nextCursor! })).toEqual({
      items: [],
    });
    await expect(house.call('queues.items', { queue: 'etl', cursor: 'x' })).rejects.toThrow(/cursor/);
    for (const id of ['a', 'b', 'c']) house.go(id);
    await house.until('c', 'succeeded');
  });
});

describe('a run that waits', () => {
  it('is dequeued by a stop, and nothing of it runs', async () => {
    const house = new QueueHouse();
    await house.enqueue('a', {}, 'handlerOn: {exit: {command: echo exit >> begun}}');
    await house.call('runs.stop', { name: 'job', dagRunId: 'a' });
    expect(await house.get('a')).toMatchObject({ status: 'aborted', error: 'dequeued by the test' });
    house.engine.host.processQueues();
    await house.enqueue('b');
    house.go('b');
    await house.until('b', 'succeeded');
    expect(house.begun).toEqual(['b']);
  });

  it('is dequeued by its id, or as the oldest one', async () => {
    const house = new QueueHouse();
    for (const id of ['a', 'b', 'c']) await house.enqueue(id, id === 'b' ? { priority: 5 } : {});
    expect(await house.call('queues.dequeue', { queue: 'job' })).toEqual({ name: 'job', dagRunId: 'a' });
    await house.call('runs.dequeue', { name: 'job', dagRunId: 'c' });
    await expect(house.call('runs.dequeue', { name: 'job', dagRunId: 'c' })).rejects.toMatchObject({
      code: 'not_queued',
    });
    expect((await house.call('queues.items', { queue: 'job' })).items).toMatchObject([
      { run: { dagRunId: 'b' } },
    ]);
    await expect(house.call('queues.dequeue', { queue: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
