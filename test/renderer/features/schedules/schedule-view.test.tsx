import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { DagDetailView } from '../../../../core/contract/dags.ts';
import type { ScheduledTimeView } from '../../../../core/contract/schedules.ts';
import { ScheduleView } from '../../../../renderer/features/schedules/schedule-view.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const dag: DagDetailView = {
  fileName: 'backup',
  name: 'backup',
  tags: [],
  schedule: { start: ['CRON_TZ=Europe/Berlin 30 2 * * *'], stop: [], restart: [] },
  suspended: false,
  stepCount: 1,
  valid: true,
  file: '/home/dags/backup.yaml',
  spec: 'timezone: Europe/Berlin\nschedule: 30 2 * * * # nightly\nsteps: [make]\n',
  diagnostics: [],
  localDags: [],
};
const unscheduled: DagDetailView = {
  ...dag,
  schedule: { start: [], stop: [], restart: [] },
  spec: '# backs up\nsteps: [make]\n',
};

const usual = { at: '2026-03-30T00:30:00.000Z', kind: 'start' } as const;
const shifted = { at: '2026-03-29T01:30:00.000Z', kind: 'start', change: 'shifted' } as const;

interface Options {
  readonly times?: ScheduledTimeView[];
  readonly spec?: string;
  readonly role?: 'viewer' | 'admin';
  readonly isStopped?: boolean;
}

function show(shown: DagDetailView, options: Options = {}): FakeBridge {
  const { times = [shifted, usual], spec = shown.spec, role = 'admin', isStopped = false } = options;
  const bridge = new FakeBridge({
    'dags.nextTimes': () => ({ times, suspended: shown.suspended, zone: 'Europe/Berlin' }),
    'dags.suspend': ({ suspend }) => ({ suspended: suspend }),
    'dags.spec': () => ({ fileName: 'backup', spec, hash: 'a'.repeat(64), errors: [], diagnostics: [] }),
    'dags.updateSpec': ({ spec: next }) => ({
      ...{ fileName: 'backup', spec: next, hash: 'b'.repeat(64), errors: [], diagnostics: [] },
    }),
    'services.scheduler': () => ({
      notes: [],
      schedulers: isStopped
        ? []
        : [{ instanceId: 'a', host: 'h', pid: 1, port: 0, status: 'active', startedAt: usual.at }],
    }),
    'auth.me': () => makeCurrentUser('ada', role),
  });
  renderWith(bridge, <ScheduleView dag={shown} />);
  return bridge;
}

const savedBy = async (bridge: FakeBridge): Promise<unknown> => {
  await waitFor(() => expect(bridge.callsOf('dags.updateSpec')).toHaveLength(1));
  return bridge.callsOf('dags.updateSpec')[0];
};

test('shows the next times, and marks the days of daylight saving changes', async () => {
  show(dag, { times: [shifted, { ...usual, at: '2026-03-29T05:00:00.000Z' }, usual] });
  const rows = await screen.findAllByRole('row');
  expect(rows.map((row) => within(row).queryAllByRole('cell').at(-1)?.textContent)).toEqual([
    undefined,
    'Clocks go forward: shifted by the change',
    'Clocks go forward on this day',
    '',
  ]);
});

test('hides the notes column if there are none', async () => {
  show(dag, { times: [usual] });
  expect(await screen.findByRole('columnheader', { name: 'In' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
});

test('schedules a workflow with a preset and a button', async () => {
  const bridge = show(unscheduled, { times: [] });
  fireEvent.click(await screen.findByRole('radio', { name: 'Weekdays' }));
  fireEvent.change(screen.getByRole('combobox', { name: 'Time zone' }), { target: { value: 'Asia/Tokyo' } });
  expect(within(screen.getByRole('list', { name: 'Next runs' })).getAllByRole('listitem')).toHaveLength(5);
  expect(screen.getByText(/Every weekday at 06:00/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add schedule' }));
  expect(await savedBy(bridge)).toEqual({
    fileName: 'backup',
    spec: '# backs up\nschedule: 0 6 * * 1-5\ntimezone: Asia/Tokyo\nsteps: [make]\n',
    baseHash: 'a'.repeat(64),
    allowInvalid: true,
  });
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(bridge.callsOf('dags.updateSpec')[1]).toMatchObject({
      spec: unscheduled.spec,
      baseHash: 'b'.repeat(64),
    }),
  );
});

test('edits a time and keeps its comment', async () => {
  const bridge = show(dag);
  fireEvent.click(await screen.findByRole('button', { name: /^Edit Every day at 02:30/ }));
  fireEvent.change(screen.getByRole('combobox', { name: 'Hour' }), { target: { value: '05' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await savedBy(bridge)).toMatchObject({ spec: dag.spec.replace('30 2', '30 5') });
});

test('removes the last time with its field', async () => {
  const bridge = show(dag);
  fireEvent.click(await screen.findByRole('button', { name: /^Remove Every day at 02:30/ }));
  expect(await savedBy(bridge)).toMatchObject({ spec: 'timezone: Europe/Berlin\nsteps: [make]\n' });
});

test('does not overwrite a file that has changed', async () => {
  const bridge = show(unscheduled, { times: [], spec: 'steps: [other]\n' });
  fireEvent.click(await screen.findByRole('button', { name: 'Add schedule' }));
  expect(await screen.findByText('The file has changed. Check the schedule, then save again.')).toBeTruthy();
  expect(bridge.callsOf('dags.updateSpec')).toEqual([]);
});

test('a change between reading and saving is a conflict', async () => {
  const bridge = show(unscheduled, { times: [] });
  bridge.answers['dags.updateSpec'] = () => {
    throw new AppError('conflict', 'The file has changed.');
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Add schedule' }));
  expect(await screen.findByText('The file has changed.')).toBeTruthy();
});

test('an invalid cron expression says why and cannot be saved', async () => {
  show(unscheduled, { times: [] });
  fireEvent.click(await screen.findByRole('radio', { name: 'Cron' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Cron expression' }), {
    target: { value: '0 6 * *' },
  });
  expect(screen.getByText('The expression has 4 fields.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add schedule' }).hasAttribute('disabled')).toBe(true);
});

test('says that no scheduler is running', async () => {
  show(dag, { isStopped: true });
  expect(await screen.findByText(/Scheduler not running/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Start scheduler' })).toBeTruthy();
});

test('suspends a schedule with one button', async () => {
  const bridge = show(dag);
  fireEvent.click(await screen.findByRole('button', { name: 'Suspend the schedule of backup' }));
  await waitFor(() =>
    expect(bridge.callsOf('dags.suspend')).toEqual([{ fileName: 'backup', suspend: true }]),
  );
});

test('resumes a suspended schedule', async () => {
  const bridge = show({ ...dag, suspended: true });
  expect(await screen.findByText(/This schedule is suspended/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Resume the schedule of backup' }));
  await waitFor(() =>
    expect(bridge.callsOf('dags.suspend')).toEqual([{ fileName: 'backup', suspend: false }]),
  );
});
