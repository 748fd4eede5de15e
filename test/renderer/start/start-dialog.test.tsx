import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { BridgeProvider } from '../../../renderer/api/bridge.ts';
import { formatParams } from '../../../renderer/features/start/format-params.ts';
import { StartDialog } from '../../../renderer/features/start/start-dialog.tsx';
import { FakeBridge } from '../../rig/fake-bridge.ts';

afterEach(cleanup);

const params = [
  { name: 'DATE', value: '`date +%F`' },
  { name: 'NOTE', value: '' },
];

function open(bridge: FakeBridge, onStarted = vi.fn()) {
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <StartDialog
          fileName="etl"
          name="etl"
          params={params}
          onClose={() => undefined}
          onStarted={onStarted}
        />
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return onStarted;
}

test('every parameter has a field with its default, and only what was changed is sent', async () => {
  const bridge = new FakeBridge({ 'dags.start': () => ({ name: 'etl', dagRunId: 'run-1' }) });
  const onStarted = open(bridge);
  expect(screen.getByRole('dialog', { name: 'Run etl' })).toBeTruthy();
  expect((screen.getByLabelText('DATE') as HTMLInputElement).value).toBe('`date +%F`');
  fireEvent.change(screen.getByLabelText('NOTE'), { target: { value: 'second try' } });
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await vi.waitFor(() => expect(onStarted).toHaveBeenCalled());
  expect(onStarted.mock.calls[0]![0]).toEqual({ name: 'etl', dagRunId: 'run-1' });
  expect(bridge.callsOf('dags.start')).toEqual([{ fileName: 'etl', params: 'NOTE="second try"' }]);
});

test('what the engine refuses is said in the dialog, which stays open', async () => {
  const refuse = (): never => {
    throw new AppError('max_run_reached', 'etl has 1 active run. Wait until it has ended.');
  };
  const onStarted = open(new FakeBridge({ 'dags.start': refuse }));
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  expect((await screen.findByRole('alert')).textContent).toContain('etl has 1 active run');
  expect(onStarted).not.toHaveBeenCalled();
});

test('parameters are written as on the command line', () => {
  const mixed = [
    { name: '1', value: 'in.csv' },
    { name: '2', value: 'out.csv' },
    { name: 'MODE', value: 'fast' },
  ];
  expect(formatParams(mixed, {})).toBe('');
  expect(formatParams(mixed, { MODE: 'slow' })).toBe('MODE=slow');
  expect(formatParams(mixed, { 2: 'a b.csv' })).toBe('in.csv "a b.csv"');
  expect(formatParams(mixed, { MODE: 'say "hi" \\ $HOME' })).toBe('MODE="say \\"hi\\" \\\\ $HOME"');
  expect(formatParams(mixed, { MODE: '' })).toBe('MODE=""');
});
