import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SchedulePage } from '../../../renderer/features/schedules/schedule-page.tsx';
import { startOfWeek, toDate } from '../../../renderer/format/time.ts';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';

function open(path: string): FakeBridge {
  const bridge = new FakeBridge({
    'schedules.calendar': () => ({ zone: 'UTC', entries: [], isComplete: true }),
  });
  renderWith(bridge, <SchedulePage />, { path });
  return bridge;
}

const askedOf = ({ calls }: FakeBridge): unknown =>
  calls.find(({ name }) => name === 'schedules.calendar')?.input;

test('shows the week of a day from Monday to Sunday', async () => {
  const bridge = open('/schedule?from=2026-11-26');
  expect(await screen.findByRole('region', { name: 'Mon 23 Nov' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Sun 29 Nov' })).toBeTruthy();
  expect(askedOf(bridge)).toMatchObject({ fromDate: '2026-11-23', toDate: '2026-11-29' });
});

test('an invalid day in the URL means this week', async () => {
  const before = startOfWeek(toDate(Date.now()));
  const bridge = open('/schedule?from=2026-02-30');
  expect(await screen.findByText('Today')).toBeTruthy();
  expect([before, startOfWeek(toDate(Date.now()))]).toContain(
    (askedOf(bridge) as { fromDate: string }).fromDate,
  );
});

test('weeks begin on Monday', () => {
  expect(['2026-11-22', '2026-11-23', '2026-11-29', '2027-01-02'].map(startOfWeek)).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-11-23',
    '2026-12-28',
  ]);
});
