import { describe, expect, it } from 'vitest';
import { QueueHarness } from '../dispatch-harness.ts';

async function fill(harness: QueueHarness, priorities: readonly number[]) {
  for (const [index, priority] of priorities.entries()) await harness.enqueue('abcdef'[index]!, { priority });
  return async () => {
    const { items } = await harness.engine.call('queues.items', { queue: 'job' });
    return items.map(({ run, priority }) => `${run.dagRunId}${priority}`).join(' ');
  };
}

describe('queues.move', () => {
  it('moves a run, with the priority of its new position', async () => {
    const harness = new QueueHarness();
    const order = await fill(harness, [0, 0, 0, 5]);
    expect(await order()).toBe('d5 a0 b0 c0');
    const move = (dagRunId: string, position: number) =>
      harness.engine.call('queues.move', { queue: 'job', name: 'job', dagRunId, position });
    expect(await move('c', 2)).toMatchObject({ priority: 0, run: { dagRunId: 'c' } });
    expect(await order()).toBe('d5 c0 a0 b0');
    await move('b', 1);
    expect(await order()).toBe('b5 d5 c0 a0');
    await move('b', 900);
    expect(await order()).toBe('d5 c0 a0 b0');
    await expect(move('x', 1)).rejects.toMatchObject({ code: 'not_queued' });
    await expect(
      harness.engine.call('queues.move', { queue: 'other', name: 'job', dagRunId: 'a', position: 1 }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('queues.clear', () => {
  it('aborts all queued runs, and keeps active ones', async () => {
    const harness = new QueueHarness();
    const order = await fill(harness, [0, 0]);
    await harness.engine.start(harness.spec('maxActiveRuns: -1'), { dagRunId: 'z' });
    expect(await harness.engine.call('queues.clear', { queue: 'job' })).toEqual({ dequeued: 2 });
    expect(await order()).toBe('');
    expect(await harness.get('a')).toMatchObject({ status: 'aborted', error: 'dequeued by the test' });
    expect((await harness.get('z')).status).not.toBe('aborted');
    harness.go('z');
  });
});
