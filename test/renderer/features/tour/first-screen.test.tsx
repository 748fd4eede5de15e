import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DagSummaryView } from '../../../../core/contract/dags.ts';
import { FirstScreen } from '../../../../renderer/features/tour/first-screen.tsx';
import { makeStepSpec, makeWorkflowSpec, systemInfo } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const workflow = makeWorkflowSpec([makeStepSpec('fetch'), makeStepSpec('remove outdated files', ['fetch'])]);

const dag = (name: string, stepCount: number, tags: string[] = ['sample']): DagSummaryView =>
  ({ fileName: name, name, stepCount, tags, valid: true }) as unknown as DagSummaryView;

function open(dags: readonly DagSummaryView[]) {
  const bridge = new FakeBridge({
    'system.info': () => systemInfo(),
    'dags.get': () => ({ workflow }) as never,
    'dags.validate': () => ({ dag: workflow }) as never,
    'dags.create': ({ name }) => ({ fileName: name }) as never,
    'dags.start': ({ fileName }) => ({ name: fileName, dagRunId: 'run-1' }),
  });
  return { bridge, ...renderWith(bridge, <FirstScreen dags={dags} />) };
}

test('says what the product is, and explains its terms', () => {
  open([]);
  expect(screen.getByText(/^Stepwright runs/).textContent).toContain('on a schedule');
  for (const term of ['workflows', 'steps', 'run', 'Queues', 'home'])
    expect(screen.getByRole('button', { name: term })).toBeTruthy();
});

test('shows the graph of each sample, with the full names of its steps', async () => {
  open([]);
  const [graph] = await screen.findAllByRole('img', { name: /2 steps$/ });
  expect(graph!.textContent).toContain('remove outd…');
  expect(graph!.textContent).toContain('remove outdated files');
});

test('adds and runs a sample with one click', async () => {
  const { bridge, location } = open([]);
  fireEvent.click(screen.getByRole('button', { name: 'Add and run: Hello' }));
  await waitUntilPasses(() => expect(location.history.at(-1)).toBe('/runs/hello/run-1'));
  expect(bridge.callsOf('dags.create')).toMatchObject([{ name: 'hello' }]);
});

test('offers the samples of the home, the largest first with the primary button', async () => {
  const { location } = open([dag('backup', 3), dag('etl', 7), dag('mine', 9, [])]);
  const list = screen.getByRole('list', { name: 'Sample workflows' });
  expect(
    within(list)
      .getAllByRole('button')
      .map(({ ariaLabel }) => ariaLabel),
  ).toEqual(['Run etl', 'Run backup']);
  fireEvent.click(screen.getByRole('button', { name: 'Run etl' }));
  await waitUntilPasses(() => expect(location.history.at(-1)).toBe('/runs/etl/run-1'));
});
