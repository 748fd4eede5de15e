import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { usePanels } from '../../../../renderer/editor/session/panel-state.ts';
import { openForm } from '../editor-harness.tsx';

const zone = 'Europe/Berlin';

/** Opens the triggers of a text, as a press on the trigger card does. */
function openTriggers(text: string, isStopped = false) {
  usePanels.setState({ isTriggerShown: true });
  const opened = openForm(text);
  opened.bridge.answers['dags.nextTimes'] = () => ({ times: [], suspended: false, zone });
  const active = { instanceId: 'a', host: 'h', pid: 1, port: 0, startedAt: '2026-01-01T00:00:00.000Z' };
  opened.bridge.answers['services.scheduler'] = () => ({
    notes: [],
    schedulers: isStopped ? [] : [{ ...active, status: 'active' }],
  });
  return opened;
}

afterEach(() => usePanels.setState({ isTriggerShown: false }));

test('schedules a workflow with a preset; the text keeps its comments', async () => {
  const { session } = openTriggers('# backs up\ntimezone: Europe/Berlin\nsteps: [make]\n');
  fireEvent.click(await screen.findByRole('radio', { name: 'Weekdays' }));
  fireEvent.change(screen.getByRole('combobox', { name: 'Time zone' }), { target: { value: zone } });
  fireEvent.click(screen.getByRole('button', { name: 'Add schedule' }));
  await waitFor(() => expect(session.text).toContain('schedule: 0 6 * * 1-5\n'));
  expect(session.text).toContain('# backs up\n');
  expect(await screen.findByText('Every weekday at 06:00')).toBeTruthy();
  expect(within(screen.getByRole('list', { name: 'Next runs' })).getAllByRole('listitem')).toHaveLength(5);
  session.undo();
  expect(session.text).not.toContain('schedule');
});

test('removes one of several times, and shows the others', async () => {
  const { session } = openTriggers('schedule: ["0 6 * * *", "30 12 * * 1"]\nsteps: [make]\n');
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Every day at 06:00' }));
  await waitFor(() => expect(session.text).toContain('schedule: ["30 12 * * 1"]\n'));
});

test('edits the webhook', async () => {
  const { session } = openTriggers('on:\n  webhook:\n    receiver: gh\nsteps: [make]\n');
  const receiver = await screen.findByRole('textbox', { name: 'Receiver' });
  fireEvent.change(receiver, { target: { value: 'gitlab' } });
  fireEvent.blur(receiver);
  await waitFor(() => expect(session.text).toContain('receiver: gitlab\n'));
});

test('says that no scheduler is running, with a button that starts one', async () => {
  openTriggers('schedule: 0 6 * * *\nsteps: [make]\n', true);
  expect(await screen.findByRole('button', { name: 'Start scheduler' })).toBeTruthy();
});

test('leads to all fields of the workflow, and ends with a selection', async () => {
  const { session } = openTriggers('steps:\n  - name: a\n    command: x\n');
  expect(await screen.findByRole('heading', { name: 'Triggers' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'All workflow fields' }));
  expect(await screen.findByRole('heading', { name: 'Workflow' })).toBeTruthy();
  usePanels.setState({ isTriggerShown: true });
  session.select([{ section: 'step', name: 'a' }], 'canvas');
  await waitFor(() => expect(usePanels.getState().isTriggerShown).toBe(false));
});
