import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ScheduledTimeView } from '../../../core/contract/schedules.ts';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import { BridgeProvider } from '../../../renderer/api/bridge.ts';
import { ScheduleView } from '../../../renderer/features/schedules/schedule-view.tsx';
import { FakeBridge } from '../renderer-harness.tsx';

const dag: DagDetailView = {
  fileName: 'backup',
  name: 'backup',
  tags: [],
  schedule: { start: ['CRON_TZ=Europe/Berlin 30 2 * * *'], stop: [], restart: [] },
  suspended: false,
  stepCount: 1,
  valid: true,
  file: '/home/dags/backup.yaml',
  spec: '',
  diagnostics: [],
  localDags: [],
};

const usual = { at: '2026-03-30T00:30:00.000Z', kind: 'start' } as const;
const shifted = { at: '2026-03-29T01:30:00.000Z', kind: 'start', change: 'shifted' } as const;

function show(shown: DagDetailView, times: ScheduledTimeView[] = [shifted, usual]): FakeBridge {
  const bridge = new FakeBridge({
    'dags.nextTimes': () => ({
      times,
      suspended: shown.suspended,
    }),
    'dags.suspend': ({ suspend }) => ({ suspended: suspend }),
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BridgeProvider value={bridge}>
        <ScheduleView dag={shown} />
      </BridgeProvider>
    </QueryClientProvider>,
  );
  return bridge;
}

test('shows the next times, with the effect of daylight saving time', async () => {
  show(dag);
  expect(await screen.findAllByRole('row')).toHaveLength(3);
  expect(screen.getByText(/Shifted by daylight saving time/)).toBeTruthy();
  expect(screen.getByText(/02:30 \(Europe\/Berlin\)/)).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'Note' })).toBeTruthy();
});

test('hides the notes column if there are none', async () => {
  show(dag, [usual]);
  expect(await screen.findByRole('columnheader', { name: 'In' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
});

test('suspends and resumes a schedule with one button', async () => {
  const bridge = show(dag);
  fireEvent.click(screen.getByRole('button', { name: 'Suspend the schedule of backup' }));
  await waitFor(() =>
    expect(bridge.callsOf('dags.suspend')).toEqual([{ fileName: 'backup', suspend: true }]),
  );
  cleanup();
  const suspended = show({ ...dag, suspended: true });
  expect(screen.getByText(/This schedule is suspended/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Resume the schedule of backup' }));
  await waitFor(() =>
    expect(suspended.callsOf('dags.suspend')).toEqual([{ fileName: 'backup', suspend: false }]),
  );
});
