import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { AppError } from '../../../core/base/errors.ts';
import { BridgeProvider } from '../../../renderer/api/bridge.ts';
import { RunsPage } from '../../../renderer/features/runs/runs-page.tsx';
import { BulkReportDialog, runBulkAction } from '../../../renderer/ui/list/bulk.tsx';
import { FakeBridge } from '../renderer-harness.tsx';
import { systemInfo, makeRunSummaryView } from '../../harness/samples.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

const dagRuns = ['r1', 'r2', 'r3'].map((dagRunId) => ({
  ...makeRunSummaryView({ name: 'etl', dagRunId, status: 'failed' }),
  unsaved: dagRunId === 'r3' || undefined,
}));

function open() {
  const bridge = new FakeBridge({
    'runs.list': () => ({ dagRuns }),
    'runs.count': () => ({ count: 12_345, isComplete: false }),
    'dags.list': () => ({ dags: [], total: 0 }),
    'queues.list': () => ({
      queues: [],
      summary: {
        totalQueues: 0,
        totalRunning: 0,
        totalQueued: 0,
        totalCapacity: 0,
        utilizationPercentage: 0,
      },
      processed: true,
    }),
    'system.info': () => systemInfo(),
    'runs.delete': ({ dagRunId }) => {
      if (dagRunId === 'r2') throw new AppError('still_running', 'It has a sub-run that still goes on.');
      return { removed: 1, errors: [] };
    },
  });
  const location = memoryLocation({ path: '/runs', record: true });
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <RunsPage />
        </Router>
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return { bridge, location };
}

const key = (name: string, more: object = {}): void =>
  void fireEvent.keyDown(document.body, { key: name, ...more });

describe('the list of runs', () => {
  it('shows the number of matching runs, and which runs used unsaved changes', async () => {
    open();
    expect(await screen.findByText('12,345+')).toBeDefined();
    expect(await screen.findAllByText('Unsaved changes')).toHaveLength(1);
  });

  it('is navigated, selected and opened by keyboard', async () => {
    const { location } = open();
    await screen.findByRole('table', { name: 'Runs' });
    key('j');
    key('x');
    key('ArrowDown', { shiftKey: true });
    expect(screen.getByRole('status').textContent).toBe('2 selected');
    key('k');
    key('k');
    key('Escape');
    expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull();
    key('j');
    key('Enter');
    expect(location.history.at(-1)).toBe('/runs/etl/r2');
    key('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search runs' }));
  });

  it('deletes the selection after confirmation, and reports errors', async () => {
    const { bridge } = open();
    await screen.findByRole('table', { name: 'Runs' });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 3' }));
    const question = await screen.findByRole('dialog', { name: 'Delete 3 runs?' });
    await waitUntilPasses(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    fireEvent.click(within(question).getByRole('button', { name: 'Delete 3 runs' }));
    const report = await screen.findByRole('dialog', { name: '2 runs deleted, 1 failed' });
    expect(within(report).getByText('It has a sub-run that still goes on.')).toBeTruthy();
    expect(bridge.callsOf('runs.delete')).toHaveLength(3);
  });

  it('stores its filter in the URL', async () => {
    const { bridge, location } = open();
    const field = await screen.findByRole('searchbox', { name: 'Search runs' });
    fireEvent.change(field, { target: { value: 'oslo' } });
    expect(location.history.at(-1)).toBe('/runs?text=oslo');
    await waitUntilPasses(() => expect(bridge.callsOf('runs.list').at(-1)).toMatchObject({ text: 'oslo' }));
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(location.history.at(-1)).toBe('/runs');
  });
});

test('bulk actions continue after an error', async () => {
  const items = Array.from({ length: 9 }, (_, index) => ({ name: String(index) }));
  const report = await runBulkAction('done', items, async ({ name }) => {
    if (Number(name) % 4 === 0) throw new AppError('not_found', `no ${name}`);
  });
  expect(report).toEqual({
    verb: 'done',
    done: 6,
    failed: ['0', '4', '8'].map((name) => ({ item: { name }, reason: `no ${name}` })),
  });
});

test('an error common to all is counted once', () => {
  const failed = ['a', 'b'].map((name) => ({ item: { name }, reason: 'it is active' }));
  render(<BulkReportDialog report={{ verb: 'deleted', done: 0, failed }} thing="run" onClose={() => {}} />);
  expect(screen.getByRole('dialog', { name: '2 runs not deleted' })).toBeTruthy();
});
