import { describe, expect, it } from 'vitest';
import { untilAborted, wait } from '../../../core/base/wait.ts';
import { FakeClock } from '../../harness/fakes.ts';

describe('wait', () => {
  it('ends after the delay, and removes its timer and listeners when a signal is aborted', async () => {
    const clock = new FakeClock();
    const first = new AbortController();
    const second = new AbortController();
    const ends: string[] = [];
    const elapsed = wait(clock, 1000, first.signal).then(() => ends.push('elapsed'));
    clock.advance(1000);
    await elapsed;
    const aborted = wait(clock, 1000, first.signal, second.signal).then(() => ends.push('aborted'));
    second.abort();
    await aborted;
    await wait(clock, 1000, second.signal);
    expect(ends).toEqual(['elapsed', 'aborted']);
  });
});

describe('untilAborted', () => {
  it('settles like the work', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(signal, () => Promise.resolve(1))).toBe(1);
    await expect(untilAborted(signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('rejects with the reason as soon as the signal is aborted', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(controller.signal, () => new Promise(() => {}));
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(untilAborted(controller.signal, () => Promise.resolve(1))).rejects.toThrow('stopped');
  });
});
