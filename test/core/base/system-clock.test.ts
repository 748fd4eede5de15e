import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../core/base/system-clock.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('waits for delays longer than timers support', () => {
  const callback = vi.fn<() => void>();
  const delay = 3 * 2 ** 31;
  systemClock.after(delay, callback);
  vi.advanceTimersByTime(delay - 1);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(callback).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('can be cancelled at any time', () => {
  const callback = vi.fn<() => void>();
  const dispose = systemClock.after(2 ** 32, callback);
  vi.advanceTimersByTime(2 ** 31);
  dispose();
  dispose();
  expect(vi.getTimerCount()).toBe(0);
});

it('repeats until disposed', () => {
  const callback = vi.fn<() => void>();
  const dispose = systemClock.every(10, callback);
  vi.advanceTimersByTime(35);
  dispose();
  vi.advanceTimersByTime(35);
  expect(callback).toHaveBeenCalledTimes(3);
});

it('treats a time in the past as now', () => {
  const callback = vi.fn<() => void>();
  systemClock.after(-5, callback);
  vi.advanceTimersByTime(0);
  expect(callback).toHaveBeenCalledTimes(1);
});
