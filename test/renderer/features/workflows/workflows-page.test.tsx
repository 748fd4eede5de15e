import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { DagSummaryView } from '../../../../core/contract/dags.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { WorkflowsPage } from '../../../../renderer/features/workflows/workflows-page.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';
import { systemInfo, makeStepSpec, makeRunSummaryView, makeWorkflowSpec } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

const noSchedule = { start: [], stop: [], restart: [] };
const summary = (name: string, more: Partial<DagSummaryView> = {}): DagSummaryView => ({
  fileName: name,
  name,
  tags: [],
  schedule: noSchedule,
  suspended: false,
  stepCount: 1,
  valid: true,
  ...more,
});

const dags = [
  summary('backup', { tags: ['nightly'], schedule: { ...noSchedule, start: ['0 2 * * *'] } }),
  summary('etl', {
    latestRun: makeRunSummaryView({
      status: 'failed',
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:01:04.000Z',
    }),
  }),
  summary('torn', {
    valid: false,
    problem: { message: 'The key "stepz" is not known.', line: 2, more: 0 },
  }),
];

function open(list: DagSummaryView[], order = systemInfo().ui.dags, path = '/') {
  const bridge = new FakeBridge({
    'dags.list': () => ({ dags: list, total: list.length }),
    'runs.list': () => ({ dagRuns: [makeRunSummaryView({ status: 'failed' })] }),
    'runs.recent': () => ({ workflows: [] }),
    'system.info': () => systemInfo({ ui: { ...systemInfo().ui, dags: order } }),
    'dags.start': () => ({ name: 'backup', dagRunId: 'run-9' }),
    'dags.get': ({ fileName }) => ({
      ...summary(fileName),
      file: `/h/dags/${fileName}.yaml`,
      spec: '',
      diagnostics: [],
      workflow: makeWorkflowSpec([makeStepSpec('one')]),
      localDags: [],
    }),
  });
  const location = memoryLocation({ path, record: true });
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <WorkflowsPage />
        </Router>
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return { bridge, location };
}

const rowOf = async (name: string): Promise<HTMLElement> =>
  (await screen.findByRole('link', { name })).closest('tr')!;

test('each workflow shows its schedule in words, its last run, or its first error', async () => {
  const problem = { message: 'It must be a number.', line: 1, base: '/h/base.yaml', more: 0 };
  open([...dags, summary('based', { valid: false, problem })]);
  expect(within(await rowOf('backup')).getByText('Every day at 02:00')).toBeTruthy();
  expect(within(await rowOf('backup')).getByText('Never run')).toBeTruthy();
  const etl = within(await rowOf('etl'));
  expect(etl.getByText('Failed')).toBeTruthy();
  expect(etl.getByText('1m 04s')).toBeTruthy();
  expect(await etl.findByRole('img', { name: 'Last 1 run: 1 failed' })).toBeTruthy();
  const torn = within(await rowOf('torn'));
  expect(await torn.findByText('Line 2: The key "stepz" is not known.')).toBeTruthy();
  expect(await screen.findByText('base.yaml, line 1: It must be a number.')).toBeTruthy();
  expect(torn.getByRole('button', { name: 'Run torn' }).hasAttribute('disabled')).toBe(true);
});

test('the list starts in the configured order', async () => {
  open(dags, { sortField: 'name', sortOrder: 'desc' });
  await screen.findByRole('link', { name: 'torn' });
  const names = () =>
    screen.getAllByRole('row').map((row) => within(row).queryAllByRole('link')[0]?.textContent);
  await waitUntilPasses(() => expect(names().filter(Boolean).at(0)).toBe('torn'));
});

test('search filters the list, and an empty result can be reset', async () => {
  open(dags);
  await rowOf('etl');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search workflows' }), {
    target: { value: 'NIGHT back' },
  });
  expect(screen.getAllByRole('row')).toHaveLength(2);
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search workflows' }), {
    target: { value: 'nothing' },
  });
  expect(screen.getByText('The filter hides all 3 workflows.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(screen.getAllByRole('row')).toHaveLength(4);
});

test('runs a workflow without parameters immediately and opens its run', async () => {
  const { bridge, location } = open(dags);
  await rowOf('backup');
  fireEvent.click(screen.getByRole('button', { name: 'Run backup' }));
  await waitUntilPasses(() => expect(location.history.at(-1)).toBe('/runs/backup/run-9'));
  expect(bridge.callsOf('dags.start')).toEqual([{ fileName: 'backup' }]);
});

test('a row opens its workflow', async () => {
  const { location } = open(dags);
  fireEvent.click(within(await rowOf('etl')).getByText('1 step'));
  expect(location.history.at(-1)).toBe('/dags/etl');
});

test('an empty folder shows where workflows are stored', async () => {
  open([]);
  expect(await screen.findByText('No workflows yet')).toBeTruthy();
  expect(await screen.findByText('/h/dags')).toBeTruthy();
});

test('a new workflow file is added to the list live', async () => {
  const list = [...dags];
  const { bridge } = open(list);
  await screen.findByRole('link', { name: 'backup' });
  list.push(summary('written'));
  bridge.push('system.changes', { topic: 'dags' });
  expect(await screen.findByRole('link', { name: 'written' })).toBeTruthy();
});

test('an address can limit the list to some files, until cleared', async () => {
  open(dags, undefined, '/?files=etl,torn');
  await rowOf('etl');
  expect(screen.queryByRole('link', { name: 'backup' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Only 2 imported workflows' }));
  await rowOf('backup');
});
