import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { TodayCounts } from '../../../../renderer/features/dashboard/dashboard-page.tsx';
import { formatRemaining } from '../../../../renderer/features/dashboard/dashboard-lists.tsx';
import {
  formatShare,
  successRate,
  sumOutcomes,
  Trends,
} from '../../../../renderer/features/dashboard/trends.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const makeDay = (date: string, succeeded: number, failed: number, averageSeconds?: number) => ({
  date,
  succeeded,
  partiallySucceeded: 0,
  failed,
  aborted: 0,
  ...(averageSeconds !== undefined && { averageSeconds }),
});
const active = { notStarted: 1, queued: 12_345, running: 2 };

test('the counts come from the database and are not limited to a page of runs', async () => {
  const bridge = new FakeBridge({
    'runs.statistics': () => ({ zone: 'UTC', active, days: [makeDay('2026-01-01', 98_765, 1234)] }),
  });
  renderWith(bridge, <TodayCounts />);
  const counts = await screen.findByRole('link', { name: /98,765/ });
  expect(counts.textContent).toBe('98,765 Succeeded today');
  expect(screen.getByRole('link', { name: /Queued/ }).textContent).toBe('12,345 Queued now');
  expect(screen.getByRole('link', { name: /Running/ }).textContent).toBe('3 Running now');
});

test('trends tell the success rate and the average duration of 7 or 30 days', async () => {
  const bridge = new FakeBridge({
    'runs.statistics': () => ({
      zone: 'UTC',
      active,
      days: [makeDay('2026-01-01', 9, 1, 60), makeDay('2026-01-02', 0, 0), makeDay('2026-01-03', 10, 0, 120)],
    }),
  });
  renderWith(bridge, <Trends />);
  expect(await screen.findByText('95%')).toBeDefined();
  expect(screen.getByText('1m 30s')).toBeDefined();
  expect(screen.getByText('1 of 20 runs failed')).toBeDefined();
  const bar = screen.getByRole('link', { name: '1 Jan 2026: 90% succeeded, 10 runs, 1 failed' });
  expect(bar.getAttribute('href')).toBe('/runs?from=2026-01-01&to=2026-01-01');
  fireEvent.click(screen.getByRole('radio', { name: '30 days' }));
  const spans = bridge.callsOf('runs.statistics').map((input) => {
    const { fromDate, toDate } = input as { fromDate: string; toDate: string };
    return (Date.parse(toDate) - Date.parse(fromDate)) / 86_400_000 + 1;
  });
  expect(spans).toEqual([7, 30]);
});

test('a share is rounded to 100% or 0% only when it is exact', () => {
  expect([0, 0.0001, 0.5, 0.9999, 1].map(formatShare)).toEqual(['0%', '0.1%', '50%', '99.9%', '100%']);
  expect(successRate(sumOutcomes([]))).toBeUndefined();
});

test('a running run tells how long it usually takes, and when it takes longer', () => {
  expect(formatRemaining(10_000, 30_000)).toBe('usually 30 s, about 20 s left');
  expect(formatRemaining(31_000, 30_000)).toBe('usually 30 s, ending soon');
  expect(formatRemaining(90_000, 30_000)).toBe('usually 30 s, 1m 00s longer');
});
