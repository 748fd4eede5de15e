import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { RunRef } from '../../../../core/model/run.ts';
import { parseParamText } from '../../../../core/spec/params.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { listParamFields } from '../../../../core/spec/param-form.ts';
import { findUnencodableParam, formatParams } from '../../../../renderer/features/start/param-values.ts';
import { StartDialog } from '../../../../renderer/features/start/start-dialog.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';
import { sampleView } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

const params = [
  { name: 'DATE', value: '`date +%F`' },
  { name: 'NOTE', value: '' },
];

function open(
  bridge: FakeBridge,
  more: Partial<React.ComponentProps<typeof StartDialog>> = {},
  onStarted = vi.fn<(run: RunRef) => void>(),
) {
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <StartDialog
          fileName="etl"
          name="etl"
          form={{ fields: listParamFields(params) }}
          onClose={() => undefined}
          onStarted={onStarted}
          {...more}
        />
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return onStarted;
}

test('every parameter has a field with its default, and only changed ones are sent', async () => {
  const bridge = new FakeBridge({ 'dags.start': () => ({ name: 'etl', dagRunId: 'run-1' }) });
  const onStarted = open(bridge);
  expect(screen.getByRole('dialog', { name: 'Run etl' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('DATE').value).toBe('`date +%F`');
  fireEvent.change(screen.getByLabelText('NOTE'), { target: { value: 'second try' } });
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await waitUntilPasses(() => expect(onStarted).toHaveBeenCalled());
  expect(onStarted.mock.calls[0]![0]).toEqual({ name: 'etl', dagRunId: 'run-1' });
  expect(bridge.callsOf('dags.start')).toEqual([{ fileName: 'etl', params: "NOTE='second try'" }]);
});

test('shows an error of the engine in the dialog, which stays open', async () => {
  const refuse = (): never => {
    throw new AppError('max_run_reached', 'etl has 1 active run. Wait until it has ended.');
  };
  const onStarted = open(new FakeBridge({ 'dags.start': refuse }));
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  expect((await screen.findByRole('alert')).textContent).toContain('etl has 1 active run');
  expect(onStarted).not.toHaveBeenCalled();
});

test('a run id can be entered', async () => {
  const bridge = new FakeBridge({ 'dags.start': () => ({ name: 'etl', dagRunId: 'mine' }) });
  open(bridge);
  fireEvent.change(screen.getByLabelText('Run ID'), { target: { value: ' mine ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('dags.start')).toEqual([{ fileName: 'etl', dagRunId: 'mine' }]),
  );
});

test.each([
  { runConfig: {}, locked: [] },
  { runConfig: { disableParamEdit: true }, locked: ['DATE', 'NOTE'] },
  { runConfig: { disableRunIdEdit: true }, locked: ['Run ID'] },
])('fields are locked by $runConfig, with a note', ({ runConfig, locked }) => {
  open(new FakeBridge({}), { runConfig });
  const readOnly = screen.getAllByRole<HTMLInputElement>('textbox').filter((input) => input.readOnly);
  expect(readOnly.map((input) => input.labels?.[0]?.textContent)).toEqual(locked);
  const reasons = Object.keys(runConfig).map((key) => `runConfig.${key}`);
  for (const reason of reasons) expect(screen.getAllByText(new RegExp(reason))).toHaveLength(locked.length);
});

test('a dry run with the entered values can be shown first, and run from there', async () => {
  const onStarted = vi.fn<(run: RunRef) => void>();
  const bridge = new FakeBridge({
    'dags.dry': () => sampleView,
    'dags.start': () => ({ name: 'etl', dagRunId: 'run-1' }),
  });
  open(bridge, {}, onStarted);
  fireEvent.change(screen.getByLabelText('NOTE'), { target: { value: 'x' } });
  fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  expect(await screen.findByText(/error found/)).toBeTruthy();
  expect(bridge.callsOf('dags.dry')).toEqual([{ fileName: 'etl', params: 'NOTE=x' }]);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.getByLabelText<HTMLInputElement>('NOTE').value).toBe('x');
  fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await waitUntilPasses(() => expect(onStarted).toHaveBeenCalled());
  expect(bridge.callsOf('dags.start')).toEqual([{ fileName: 'etl', params: 'NOTE=x' }]);
});

const mixed = listParamFields([
  { name: '1', value: 'in.csv' },
  { name: '2', value: 'out.csv' },
  { name: 'MODE', value: 'fast' },
]);

test('only changed parameters are sent, positional ones by position', () => {
  expect(formatParams(mixed, {})).toBe('');
  expect(formatParams(mixed, { 1: 'in.csv', MODE: 'slow' })).toBe('MODE=slow');
  expect(formatParams(mixed, { 2: 'a b.csv' })).toBe("2='a b.csv'");
});

const values = [
  '',
  ' ',
  'plain',
  'two words',
  "it's",
  'say "hi"',
  '"quoted"',
  '$HOME/x',
  'a\\b',
  'C:\\dir\\',
  '`date`',
  '\ttab',
  'a=b',
  "it's a \\",
];

test.each(values)('the engine parses %j as typed', (value) => {
  expect(findUnencodableParam(mixed, { MODE: value })).toBeUndefined();
  expect(parseParamText(formatParams(mixed, { 1: value, MODE: value }))).toEqual([
    { name: '1', value },
    { name: 'MODE', value },
  ]);
});

test('finds a name that the parameter syntax cannot contain', () => {
  const odd = [...mixed, ...listParamFields([{ name: 'größe', value: '1' }])];
  expect(findUnencodableParam(odd, { MODE: 'slow' })).toBeUndefined();
  expect(findUnencodableParam(odd, { größe: '2' })?.name).toBe('größe');
});

test('the run is enqueued instead, and an error of one action is cleared by the other', async () => {
  const refuse = (): never => {
    throw new AppError('max_run_reached', 'etl has 1 active run. Wait until it has ended.');
  };
  const bridge = new FakeBridge({
    'dags.start': refuse,
    'dags.enqueue': () => ({ name: 'etl', dagRunId: 'run-1' }),
  });
  const onStarted = open(bridge);
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await screen.findByRole('alert');
  fireEvent.change(screen.getByLabelText('NOTE'), { target: { value: 'x' } });
  fireEvent.click(screen.getByRole('button', { name: 'Queue' }));
  await waitUntilPasses(() => expect(onStarted).toHaveBeenCalled());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(bridge.callsOf('dags.enqueue')).toEqual([{ fileName: 'etl', params: 'NOTE=x' }]);
});
