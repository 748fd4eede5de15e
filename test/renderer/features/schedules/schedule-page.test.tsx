import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { SchedulePage } from '../../../../renderer/features/schedules/schedule-page.tsx';
import { startOfWeek, toDate } from '../../../../renderer/format/time.ts';
import type { DagSummaryView } from '../../../../core/contract/dags.ts';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const entry = { kind: 'start', date: '2026-11-24', outcome: 'due', count: 1 } as const;
const counts: OperationOutput<'schedules.counts'> = {
  zone: 'UTC',
  workflows: 300,
  hours: [
    { date: '2026-11-24', hour: 6, due: 12, frequent: 10 },
    { date: '2026-11-24', hour: 7, due: 288, missed: 1 },
  ],
  clockChanges: [],
};

function open(path: string, isActive = true) {
  const dag: DagSummaryView = {
    ...{ fileName: 'etl', name: 'etl', tags: ['db'], stepCount: 1, valid: true, suspended: false },
    schedule: { start: ['0 6 * * *'], stop: [], restart: [] },
  };
  const bridge = new FakeBridge({
    'schedules.counts': () => counts,
    'schedules.calendar': ({ fromDate }) => ({
      zone: 'UTC',
      isComplete: true,
      entries: [
        {
          ...entry,
          fileName: 'etl',
          name: 'etl',
          first: `${fromDate}T06:00:00.000Z`,
          last: `${fromDate}T06:00:00.000Z`,
        },
      ],
    }),
    'dags.list': () => ({ dags: [dag], total: 1 }),
    'services.scheduler': () => ({
      schedulers: isActive
        ? [
            {
              instanceId: 'a',
              host: 'here',
              pid: 1,
              port: 0,
              status: 'active',
              startedAt: '2026-11-24T00:00:00Z',
            },
          ]
        : [],
      notes: [],
    }),
    'services.startScheduler': () => ({ wasActive: false }),
    'auth.me': () => makeCurrentUser('ada', 'admin'),
  });
  return { bridge, ...renderWith(bridge, <SchedulePage />, { path }) };
}

const askedOf = ({ calls }: FakeBridge): unknown =>
  calls.find(({ name }) => name === 'schedules.counts')?.input;

test('shows the week of a day from Monday to Sunday, with true counts', async () => {
  const { bridge } = open('/schedule?from=2026-11-26');
  expect(await screen.findByRole('columnheader', { name: /^Mon 23 Nov/ })).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: /^Tue 24 Nov 301 runs/ })).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: /^Sun 29 Nov/ })).toBeTruthy();
  expect(screen.getByText('301 scheduled runs of 300 workflows')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Tue 24 Nov 07:00: 1 missed, 288 upcoming/ })).toBeTruthy();
  expect(askedOf(bridge)).toMatchObject({ fromDate: '2026-11-23', toDate: '2026-11-29' });
});

test('an invalid day in the URL means this week', async () => {
  const before = startOfWeek(toDate(Date.now()));
  const { bridge } = open('/schedule?from=2026-02-30');
  expect(await screen.findByText('Today')).toBeTruthy();
  expect([before, startOfWeek(toDate(Date.now()))]).toContain(
    (askedOf(bridge) as { fromDate: string }).fromDate,
  );
});

test('an hour opens its list, and the address keeps it', async () => {
  const { bridge, location } = open('/schedule?from=2026-11-26');
  fireEvent.click(await screen.findByRole('button', { name: /^Tue 24 Nov 06:00/ }));
  const panel = within(await screen.findByRole('complementary', { name: 'Selected hour' }));
  expect(await panel.findByRole('link', { name: 'etl' })).toBeTruthy();
  expect(bridge.callsOf('schedules.calendar')).toContainEqual(
    expect.objectContaining({ fromDate: '2026-11-24', toDate: '2026-11-24', hour: 6 }),
  );
  expect(location.history.at(-1)).toContain('hour=2026-11-24T06');
});

test('arrow keys move between hours', async () => {
  open('/schedule?from=2026-11-26');
  const cell = await screen.findByRole('button', { name: /^Tue 24 Nov 06:00/ });
  cell.focus();
  fireEvent.keyDown(cell, { key: 'ArrowDown' });
  expect(document.activeElement!.ariaLabel).toMatch(/^Tue 24 Nov 07:00/);
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
  expect(document.activeElement!.ariaLabel).toMatch(/^Wed 25 Nov 07:00/);
});

test('filters are sent to the engine', async () => {
  const { bridge } = open('/schedule?from=2026-11-26&tag=db&text=et&frequency=infrequent');
  expect(await screen.findByRole('columnheader', { name: /^Mon 23 Nov/ })).toBeTruthy();
  expect(askedOf(bridge)).toMatchObject({ tags: ['db'], name: 'et', frequency: 'infrequent' });
});

test('a day lists its hours, which expand', async () => {
  open('/schedule?view=day&from=2026-11-24');
  fireEvent.click(await screen.findByRole('button', { name: /07:00/ }));
  expect(await screen.findByRole('link', { name: 'etl' })).toBeTruthy();
});

test('the agenda lists the runs of each day', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const { bridge } = open('/schedule?view=agenda&from=2026-11-24');
  expect(await screen.findByText('Tue 24 Nov')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'etl' })).toBeTruthy();
  expect(bridge.callsOf('schedules.calendar')[0]).toMatchObject({ fromDate: '2026-11-24' });
});

test('a notice starts the scheduler where none is running', async () => {
  const { bridge } = open('/schedule?from=2026-11-26', false);
  fireEvent.click(await screen.findByRole('button', { name: 'Start scheduler' }));
  await screen.findByText(/Scheduler not running/);
  expect(bridge.callsOf('services.startScheduler')).toEqual([{}]);
});

test('weeks begin on Monday', () => {
  expect(['2026-11-22', '2026-11-23', '2026-11-29', '2027-01-02'].map(startOfWeek)).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-11-23',
    '2026-12-28',
  ]);
});
