import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RunTable } from '../../../../renderer/features/runs/run-table.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';
import { makeApprovalView, makeRunSummaryView } from '../../../harness/samples.ts';

test('a list of runs marks those waiting for approval, themselves or in sub-runs', async () => {
  const root = { name: 'nightly', dagRunId: 'run-9' };
  const bridge = new FakeBridge({
    'approvals.list': () => ({ approvals: [makeApprovalView({ name: 'deploy', dagRunId: 'run-2', root })] }),
  });
  const runs = [
    makeRunSummaryView({ ...root, status: 'running' }),
    makeRunSummaryView({ name: 'deploy', dagRunId: 'run-2', status: 'running' }),
    makeRunSummaryView({ name: 'other', dagRunId: 'run-3', status: 'running' }),
  ];
  renderWith(bridge, <RunTable runs={runs} />);
  await screen.findAllByText('Waiting for approval');
  const marked = screen
    .getAllByRole('row')
    .filter((row) => within(row).queryByText('Waiting for approval') !== null)
    .map((row) => within(row).getByRole('link').textContent);
  expect(marked).toEqual(['run-9', 'run-2']);
});
