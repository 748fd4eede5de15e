import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { QueueView } from '../../../../core/contract/queues.ts';
import { LimitDialog } from '../../../../renderer/features/queues/limit-dialog.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

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

/** Presses Save. @returns the sent limit */
async function save(bridge: FakeBridge): Promise<unknown> {
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  return await waitFor(() => {
    const [sent] = bridge.callsOf('queues.setLimit');
    if (sent === undefined) throw new Error('not sent yet');
    return sent;
  });
}

test('changes the limit of a queue', async () => {
  const bridge = show(etl);
  fill(/Maximum active runs/, '4');
  expect(await save(bridge)).toEqual({ queue: 'etl', maxConcurrency: 4 });
});

test('removes the limit of a queue', async () => {
  const bridge = show(etl);
  fireEvent.click(screen.getByRole('radio', { name: 'Workflows' }));
  expect(await save(bridge)).toEqual({ queue: 'etl', maxConcurrency: null });
});

test('adds a queue', async () => {
  const bridge = show();
  fill(/Name/, ' reports ');
  fill(/Maximum active runs/, '3');
  expect(await save(bridge)).toEqual({ queue: 'reports', maxConcurrency: 3 });
});

test('an invalid limit cannot be saved', () => {
  show(etl);
  fill(/Maximum active runs/, '0');
  expect(screen.getByText('Use a whole number from 1 to 1,000,000.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});
