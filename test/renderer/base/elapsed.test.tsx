import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Duration } from '../../../renderer/ui/time.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime('2026-01-01T00:00:00.700Z');
});
afterEach(() => vi.useRealTimers());

test('a live duration counts each second as soon as it is complete', () => {
  render(<Duration startedAt="2026-01-01T00:00:00.700Z" finishedAt={undefined} />);
  const wait = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));
  wait(990);
  expect(screen.queryByText('0 s')).not.toBeNull();
  wait(10);
  expect(screen.queryByText('1 s')).not.toBeNull();
  wait(1000);
  expect(screen.queryByText('2 s')).not.toBeNull();
});
