import { expect, test } from 'vitest';
import { QueueHarness } from '../../run/dispatch-harness.ts';
import { serve } from '../../../harness/server.ts';

test('queues have the paths of version 2 and those of Dagu', async () => {
  const harness = new QueueHarness('queues: {config: [{name: etl load, maxConcurrency: 2}]}');
  harness.write('job', 'queue: etl load\nsteps: ["true"]\n');
  await using served = await serve({ api: harness.engine.host.api });
  const post = async (path: string, body: object = {}): Promise<{ status: number; body: unknown }> => {
    const reply = await served.post(`/api/v2${path}`, body);
    return { status: reply.status, body: await reply.json() };
  };
  expect(await post('/dags/job/enqueue', { dagRunId: 'a', dagName: 'other', priority: 2 })).toMatchObject({
    status: 200,
    body: { name: 'other', dagRunId: 'a' },
  });
  // Dagu responds with 409 when there is an active or queued run.
  expect(await post('/dags/job/enqueue', { dagName: 'other', singleton: true })).toMatchObject({
    status: 409,
    body: { code: 'still_running' },
  });
  expect(await post('/dags/job/start', { dagName: 'other', singleton: true })).toMatchObject({ status: 409 });
  const spec = 'name: inline\nsteps: ["true"]\n';
  expect(await post('/dag-runs/enqueue', { spec, queue: 'etl load', dagRunId: 'b' })).toMatchObject({
    body: { name: 'inline', dagRunId: 'b' },
  });
  expect(await post('/dag-runs', { spec, singleton: true })).toMatchObject({ status: 409 });
  const list = (await (await served.fetch('/api/v2/queues')).json()) as object;
  expect(list).toMatchObject({
    queues: [
      {
        name: 'etl load',
        type: 'global',
        maxConcurrency: 2,
        running: [],
        queued: [{ dagRunId: 'a' }, { dagRunId: 'b' }],
      },
    ],
    summary: { totalQueues: 1, totalQueued: 2, totalCapacity: 2, utilizationPercentage: 0 },
  });
  expect(await post('/dag-runs/inline/b/dequeue')).toMatchObject({ status: 200 });
  expect(await post('/dag-runs/inline/b/dequeue')).toMatchObject({
    status: 400,
    body: { code: 'not_queued' },
  });
  expect(await post('/queues/etl%20load/pause')).toMatchObject({ body: { state: 'paused', queuedCount: 1 } });
  expect(await post('/queues/etl%20load/drain')).toMatchObject({ body: { state: 'draining' } });
  expect(await post('/dags/job/enqueue')).toMatchObject({ status: 409, body: { code: 'queue_closed' } });
  expect(await post('/queues/etl%20load/resume')).toMatchObject({ body: { state: 'open' } });
  expect(await post('/queues/etl%20load/dequeue')).toMatchObject({ body: { name: 'other', dagRunId: 'a' } });
  expect(await post('/dags/job/enqueue', { priority: 5000 })).toMatchObject({ status: 400 });
  expect(await post('/dags/job/enqueue', { parent: { name: 'x' } })).toMatchObject({ status: 400 });
});

test.each(['pause', 'drain', 'resume'])('an unknown queue cannot %s', async (verb) => {
  const harness = new QueueHarness('queues: {config: [{name: nightly, maxConcurrency: 2}]}');
  harness.write('job', 'queue: etl load\nsteps: ["true"]\n');
  harness.write('lonely', 'steps: ["true"]\n');
  await harness.enqueue('a', { queue: 'waiting' });
  await using served = await serve({ api: harness.engine.host.api });
  const change = async (queue: string): Promise<{ status: number; body: { message?: string } }> => {
    const reply = await served.post(`/api/v2/queues/${encodeURIComponent(queue)}/${verb}`);
    return { status: reply.status, body: (await reply.json()) as object };
  };
  const refused = await change('nihgtly');
  expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(refused.body.message).toContain('Queue "nihgtly" not found. Did you mean "nightly"?');
  expect(await change('job')).toMatchObject({ status: 404 });
  const names = async () =>
    (await harness.engine.call('queues.list', {})).queues
      .filter(({ state }) => state !== 'open')
      .map(({ name }) => name);
  expect(await names()).toEqual([]);
  const known = ['nightly', 'etl load', 'lonely', 'waiting'];
  for (const queue of known)
    expect(await change(queue)).toMatchObject({ status: 200, body: { name: queue } });
  expect(await names()).toEqual(verb === 'resume' ? [] : known.toSorted());
  // A paused one can be resumed even if nothing else refers to it any more.
  harness.write('lonely', 'queue: nightly\nsteps: ["true"]\n');
  expect(await change('lonely')).toMatchObject({ status: verb === 'resume' ? 404 : 200 });
});
