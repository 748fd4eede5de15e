import { describe, expect, it } from 'vitest';
import { QueueHouse } from './queue-house.ts';

async function fill(house: QueueHouse, priorities: readonly number[]) {
  for (const [index, priority] of priorities.entries()) await house.enqueue('abcdef'[index]!, { priority });
  return async () => {
    const { items } = await house.call('queues.items', { queue: 'job' });
    return items.map(({ run, priority }) => `${run.dagRunId}${priority}`).join(' ');
  };
}

describe('queues.move', () => {
  it('gives a run another place, with the priority that belongs there', async () => {
    const house = new QueueHouse();
    const order = await fill(house, [0, 0, 0, 5]);
    expect(await order()).toBe('d5 a0 b0 c0');
    const move = (dagRunId: string, position: number) =>
      house.call('queues.move', { queue: 'job', name: 'job', dagRunId, position });
    expect(await move('c', 2)).toMatchObject({ priority: 0, run: { dagRunId: 'c' } });
    expect(await order()).toBe('d5 c0 a0 b0');
    await move('b', 1);
    expect(await order()).toBe('b5 d5 c0 a0');
    await move('b', 900);
    expect(await order()).toBe('d5 c0 a0 b0');
    await expect(move('x', 1)).rejects.toMatchObject({ code: 'not_queued' });
    await expect(
      house.call('queues.move', { queue: 'other', name: 'job', dagRunId: 'a', position: 1 }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('queues.clear', () => {
  it('ends everything that waits as aborted, and leaves what is active', async () => {
    const house = new QueueHouse();
    const order = await fill(house, [0, 0]);
    await house.engine.start(house.spec('maxActiveRuns: -1'), { dagRunId: 'z' });
    expect(await house.call('queues.clear', { queue: 'job' })).toEqual({ dequeued: 2 });
    expect(await order()).toBe('');
    expect(await house.get('a')).toMatchObject({ status: 'aborted', error: 'dequeued by the test' });
    expect((await house.get('z')).status).not.toBe('aborted');
    house.go('z');
  });
});
