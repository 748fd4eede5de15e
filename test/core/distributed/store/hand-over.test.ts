import { expect, it } from 'vitest';
import { describeOnDispatch } from './rig/describe-on-dispatch.ts';
import { hello, newTask } from './rig/samples.ts';

describeOnDispatch('hand-over of tasks', (under) => {
  it('goes from an offer over claim and begin to a result that is written once', async () => {
    const { store } = under();
    const worker = await store.register(hello('w1', { gpu: 'yes' }));
    await store.offer([newTask('a', { selector: { gpu: 'yes' } })]);
    const claimed = await store.claim([{ ...worker, free: 5 }]);
    expect(claimed).toEqual(new Map([['w1', [{ key: 'a', fence: 1, payload: '{"key":"a"}' }]]]));
    const hold = { key: 'a', fence: 1 };
    expect(await store.begin(worker, [hold])).toEqual(['a']);
    expect(await store.begin(worker, [hold])).toEqual(['a']);
    const settlement = { ...worker, ...hold, result: '{"exitCode":0}' };
    expect(await store.settle([settlement, settlement])).toEqual(['settled', 'again']);
    expect(await store.settle([settlement, { ...settlement, result: '{}' }])).toEqual(['again', 'stale']);
    expect((await store.facts()).staleRefused).toBe(1);
    expect(await store.find(['a'])).toEqual([
      expect.objectContaining({
        key: 'a',
        state: 'settled',
        result: '{"exitCode":0}',
        selector: { gpu: 'yes' },
      }),
    ]);
  });
});
