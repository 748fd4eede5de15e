import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { DryRunPanel } from '../../../../renderer/features/start/dry-run-panel.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';
import { sampleView } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

function open(bridge: FakeBridge, params = '') {
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <DryRunPanel fileName="etl" params={params} />
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return bridge;
}

test('shows the result, the findings and their positions first', async () => {
  const bridge = open(new FakeBridge({ 'dags.dry': () => sampleView }), 'REGION=south');
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
  expect((await screen.findByText(/1 error found/)).textContent).toContain('No commands were run.');
  const findings = within(screen.getByRole('list', { name: 'Findings' })).getAllByRole('listitem');
  expect(findings.map((each) => each.textContent)).toEqual([
    'secret LOST has no value etl, secrets.LOST',
    'to know etl > load > child, step inner',
  ]);
  expect(within(findings[0]!).getByLabelText('Error')).toBeTruthy();
  expect(bridge.callsOf('dags.dry')).toEqual([{ fileName: 'etl', params: 'REGION=south' }]);
});

test('lists steps in stages with their values, and sub-workflows below', async () => {
  open(new FakeBridge({ 'dags.dry': () => sampleView }));
  const summary = await screen.findByText('Steps for the first of 2 items');
  // Labelled as on the run page.
  expect(screen.getByText('Parameters').nextElementSibling?.textContent).toContain('REGIONnorth');
  expect(screen.queryByText('inner')).toBeNull();
  const details = summary.closest('details')!;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  const headings = screen.getAllByRole('heading').map((each) => each.textContent);
  expect(headings).toEqual([
    'Wave 1',
    'extract',
    'Wave 2: 2 parallel steps',
    'checkafter extract',
    'loadafter extract',
    'Wave 1',
    'inner',
    'Handlers',
    'onExiton exit',
  ]);
  const text = (name: string): string =>
    screen.getByText(name, { selector: 'h4' }).closest('li')!.textContent;
  expect(text('extract')).toMatch(/get "\$REGION".*VariablesREGIONnorth.*ROWS.*Ended after 60 s\./);
  expect(text('check')).toContain('${REGION}, which is north, is not "south" not evaluated');
  expect(text('load')).toContain('2 items, 2 at a time');
  expect(screen.getAllByText('known at run time')).toHaveLength(1);
  expect(screen.getByText('*******')).toBeTruthy();
});

test('runs commands in backticks only on request', async () => {
  const resolved = { ...sampleView, runnable: true, ranSubstitutions: true, findings: [] };
  const bridge = open(
    new FakeBridge({ 'dags.dry': ({ runSubstitutions }) => (runSubstitutions ? resolved : sampleView) }),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Run command substitutions' }));
  expect(await screen.findByText(/Only command substitutions were run/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Run command substitutions' })).toBeNull();
  expect(bridge.callsOf('dags.dry')).toEqual([
    { fileName: 'etl' },
    { fileName: 'etl', runSubstitutions: true },
  ]);
});

test('shows an error of the engine, with a retry button', async () => {
  const refuse = vi.fn<() => never>(() => {
    throw new AppError('invalid_spec', 'etl.yaml is not a valid workflow');
  });
  open(new FakeBridge({ 'dags.dry': refuse }));
  expect(await screen.findByText('etl.yaml is not a valid workflow')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitUntilPasses(() => expect(refuse).toHaveBeenCalledTimes(2));
});
