import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { QueueView } from '../../../core/contract/queues.ts';
import { LimitDialog } from '../../../renderer/features/queues/limit-dialog.tsx';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';

const etl: QueueView = {
  ...{ name: 'etl', type: 'global', state: 'open', maxConcurrency: 2 },
  ...{ runningCount: 0, queuedCount: 0, running: [], queued: [] },
};

/** Opens the dialog for a queue. */
function show(queue?: QueueView): FakeBridge {
  const bridge = new FakeBridge({ 'queues.setLimit': ({ queue: name }) => ({ ...etl, name }) });
  renderWith(bridge, <LimitDialog {...(queue && { queue })} onClose={() => undefined} />);
  return bridge;
}

const fill = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

const expectSaved = (bridge: FakeBridge, queue: string, maxConcurrency: number | null) =>
  waitFor(() => expect(bridge.callsOf('queues.setLimit')).toEqual([{ queue, maxConcurrency }]));

test('changes the limit of a queue', async () => {
  const bridge = show(etl);
  fill(/Maximum active runs/, '4');
  save();
  await expectSaved(bridge, 'etl', 4);
});

test('removes the limit of a queue', async () => {
  const bridge = show(etl);
  fireEvent.click(screen.getByRole('radio', { name: 'Workflows' }));
  save();
  await expectSaved(bridge, 'etl', null);
});

test('adds a queue', async () => {
  const bridge = show();
  fill(/Name/, ' reports ');
  fill(/Maximum active runs/, '3');
  save();
  await expectSaved(bridge, 'reports', 3);
});

test('an invalid limit cannot be saved', () => {
  show(etl);
  fill(/Maximum active runs/, '0');
  expect(screen.getByText('Use a whole number from 1 to 1,000,000.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});
