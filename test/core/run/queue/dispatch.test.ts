import { describe, expect, it } from 'vitest';
import { TestEngine, stdoutOf } from '../../../harness/engine.ts';
import { QueueHarness } from '../dispatch-harness.ts';

const etl = 'queues: {config: [{name: etl, maxConcurrency: 2}]}';

describe('queued run', () => {
  it('is started by a host that processes queues, and ends', async () => {
    const harness = new QueueHarness();
    harness.engine.host.processQueues();
    const run = await harness.enqueue('a');
    harness.go('a');
    expect(await harness.engine.end(run)).toMatchObject({
      status: 'succeeded',
      wait: undefined,
      error: undefined,
    });
    expect(harness.startedRuns).toEqual(['a']);
  });

  it('is started by a later host', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('a');
    await harness.engine.settle();
    expect(await harness.get('a')).toMatchObject({
      status: 'queued',
      wait: { kind: 'no_host', queue: 'job' },
      error: 'no scheduler is running: start the app or "engine scheduler"',
    });
    harness.go('a');
    const later = new TestEngine({ home: harness.home, clock: harness.clock });
    later.host.processQueues();
    expect(await later.end({ name: 'job', dagRunId: 'a' })).toMatchObject({ status: 'succeeded' });
  });

  it('keeps the text and the parameters it was enqueued with', async () => {
    const harness = new QueueHarness();
    const text = (word: string): string =>
      `params: DAY=\`echo ${word}\` FIXED=x\nsteps:\n  - command: echo ${word} $DAY $FIXED\n`;
    harness.write('report', text('old'));
    const { dagRunId } = await harness.engine.call('dags.enqueue', {
      fileName: 'report',
      params: 'FIXED=mine',
    });
    harness.write('report', text('new'));
    harness.engine.host.processQueues();
    const view = await harness.engine.end({ name: 'report', dagRunId });
    expect(stdoutOf(view, view.steps[0]!.name)).toBe('old old mine\n');
  });

  it('is rejected while queues are disabled; waiting runs say so', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('a');
    harness.configure('queues: {enabled: false}');
    const off = new TestEngine({ home: harness.home, clock: harness.clock });
    off.host.processQueues();
    const request = { source: { spec: harness.spec() }, trigger: 'api' } as const;
    await expect(off.host.enqueueRun(request)).rejects.toMatchObject({ code: 'queue_closed' });
    await harness.clock.pass(10_000);
    await harness.engine.settle();
    expect(await off.get({ name: 'job', dagRunId: 'a' })).toMatchObject({
      status: 'queued',
      error: 'queues are disabled in the configuration (queues.enabled)',
    });
  });

  it('is rejected as singleton while another one is queued or active', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('a');
    await expect(harness.enqueue('b', { singleton: true })).rejects.toMatchObject({ code: 'still_running' });
    harness.engine.host.processQueues();
    await harness.untilStarted('a');
    await expect(harness.enqueue('c', { singleton: true })).rejects.toMatchObject({ code: 'still_running' });
    harness.go('a');
    await harness.until('a', 'succeeded');
    await harness.enqueue('d', { singleton: true });
  });

  it.each([
    [
      { queue: ' etl' },
      /Invalid queue name " etl"\. Use 1 to 255 characters without leading or trailing spaces\./,
    ],
    [{ priority: 1.5 }, /whole number from -1000 to 1000/],
    [{ dagRunId: 'no id' }, /Invalid run ID "no id"\. Use at most 64 letters, digits, "-" and "_"\./],
  ])('is rejected with %j', async (request, message) => {
    const harness = new QueueHarness();
    await expect(harness.enqueue('a', request)).rejects.toThrow(message);
    expect((await harness.engine.call('runs.list', {})).dagRuns).toEqual([]);
  });
});

describe('queue', () => {
  it('has the configured limit, and starts runs in order as slots become free', async () => {
    const harness = new QueueHarness(etl);
    harness.engine.host.processQueues();
    for (const id of ['a', 'b', 'c', 'd']) await harness.enqueue(id, {}, 'queue: etl');
    await harness.untilStarted('a');
    await harness.untilStarted('b');
    expect((await harness.get('c')).error).toBe('queue etl 2/2: behind runs job a, job b');
    expect(await harness.get('d')).toMatchObject({ status: 'queued', wait: { kind: 'behind', ahead: 1 } });
    harness.go('b');
    await harness.untilStarted('c');
    expect(harness.startedRuns.toSorted()).toEqual(['a', 'b', 'c']);
    for (const id of ['a', 'c', 'd']) harness.go(id);
    await harness.until('d', 'succeeded');
  });

  it('of a workflow has its maxActiveRuns, and counts runs that were started directly', async () => {
    const harness = new QueueHarness();
    harness.engine.host.processQueues();
    await harness.engine.start(harness.spec(), { dagRunId: 'direct' });
    await harness.untilStarted('direct');
    await harness.enqueue('a');
    await harness.engine.settle();
    expect((await harness.get('a')).error).toBe('queue job 1/1: behind run job direct');
    harness.go('direct');
    harness.go('a');
    await harness.until('a', 'succeeded');
  });

  it('of a workflow has the limit of the configuration if it is listed there', async () => {
    const harness = new QueueHarness('queues: {config: [{name: job, maxConcurrency: 2}]}');
    harness.engine.host.processQueues();
    for (const id of ['a', 'b', 'c']) await harness.enqueue(id);
    await harness.untilStarted('a');
    await harness.untilStarted('b');
    expect((await harness.get('c')).error).toBe('queue job 2/2: behind runs job a, job b');
    for (const id of ['a', 'b', 'c']) harness.go(id);
    await harness.until('c', 'succeeded');
  });

  it('starts higher priorities first', async () => {
    const harness = new QueueHarness();
    for (const [id, priority] of [
      ['low', -1],
      ['first', 0],
      ['second', 0],
      ['high', 9],
    ] as const) {
      await harness.enqueue(id, { priority });
      harness.go(id);
    }
    harness.engine.host.processQueues();
    await harness.until('low', 'succeeded');
    expect(harness.startedRuns).toEqual(['high', 'first', 'second', 'low']);
  });

  it('that is paused starts nothing until it is resumed, by any process', async () => {
    const harness = new QueueHarness();
    harness.engine.host.processQueues();
    const elsewhere = new TestEngine({ home: harness.home, clock: harness.clock });
    harness.write('job', harness.spec());
    expect(await harness.engine.call('queues.pause', { queue: 'job' })).toMatchObject({
      state: 'paused',
      changedBy: 'the test',
    });
    await harness.enqueue('a');
    await harness.clock.pass(20_000);
    await harness.engine.settle();
    expect(await harness.get('a')).toMatchObject({
      status: 'queued',
      error: 'queue job is paused by the test',
    });
    harness.go('a');
    await elsewhere.host.api.call('queues.resume', { queue: 'job' }, { via: 'cli', name: 'somebody' });
    await harness.clock.pass(1000);
    await harness.until('a', 'succeeded');
  });

  it('that is draining accepts nothing new and starts what is queued', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('a');
    await harness.engine.call('queues.drain', { queue: 'job' });
    await expect(harness.enqueue('b')).rejects.toMatchObject({ code: 'queue_closed' });
    harness.go('a');
    harness.engine.host.processQueues();
    await harness.until('a', 'succeeded');
    expect(await harness.engine.call('queues.resume', { queue: 'job' })).toMatchObject({ state: 'open' });
    await harness.enqueue('b');
  });

  it('is listed with active and queued runs', async () => {
    const harness = new QueueHarness(etl);
    harness.engine.host.processQueues();
    for (const id of ['a', 'b', 'c']) await harness.enqueue(id, { queue: 'etl' });
    await harness.untilStarted('a');
    await harness.untilStarted('b');
    const { queues, summary, processed } = await harness.engine.call('queues.list', {});
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
    const page = await harness.engine.call('queues.items', { queue: 'etl', limit: 1 });
    expect(page.items).toMatchObject([{ run: { dagRunId: 'c' }, priority: 0 }]);
    expect(await harness.engine.call('queues.items', { queue: 'etl', cursor: page.nextCursor! })).toEqual({
      items: [],
    });
    await expect(harness.engine.call('queues.items', { queue: 'etl', cursor: 'x' })).rejects.toThrow(
      /cursor/,
    );
    for (const id of ['a', 'b', 'c']) harness.go(id);
    await harness.until('c', 'succeeded');
  });
});

describe('waiting run', () => {
  it('is dequeued by a stop, and nothing of it runs', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('a', {}, 'handlerOn: {exit: {command: echo exit >> begun}}');
    await harness.engine.call('runs.stop', { name: 'job', dagRunId: 'a' });
    expect(await harness.get('a')).toMatchObject({ status: 'aborted', error: 'dequeued by the test' });
    harness.engine.host.processQueues();
    await harness.enqueue('b');
    harness.go('b');
    await harness.until('b', 'succeeded');
    expect(harness.startedRuns).toEqual(['b']);
  });

  it('is dequeued by its id, or as the oldest one', async () => {
    const harness = new QueueHarness();
    for (const id of ['a', 'b', 'c']) await harness.enqueue(id, id === 'b' ? { priority: 5 } : {});
    expect(await harness.engine.call('queues.dequeue', { queue: 'job' })).toEqual({
      name: 'job',
      dagRunId: 'a',
    });
    await harness.engine.call('runs.dequeue', { name: 'job', dagRunId: 'c' });
    await expect(harness.engine.call('runs.dequeue', { name: 'job', dagRunId: 'c' })).rejects.toMatchObject({
      code: 'not_queued',
    });
    expect((await harness.engine.call('queues.items', { queue: 'job' })).items).toMatchObject([
      { run: { dagRunId: 'b' } },
    ]);
    await expect(harness.engine.call('queues.dequeue', { queue: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
