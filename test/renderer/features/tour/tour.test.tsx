import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DagSummaryView } from '../../../../core/contract/dags.ts';
import { openTour, Tour } from '../../../../renderer/features/tour/tour.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const dag = (fileName: string, stepCount: number, more: object = {}): DagSummaryView =>
  ({ fileName, name: fileName, stepCount, valid: true, ...more }) as DagSummaryView;

const small = dag('small', 1);
const large = dag('large', 7, { latestRun: { name: 'large', dagRunId: 'run-1' } });

test.each([
  [
    [small, large],
    ['/dags', '/dags/large/edit', '/runs/large/run-1', '/schedule'],
  ],
  [[], ['/dags', '/new', '/runs', '/schedule']],
])('the tour shows the pages it describes, with the largest workflow of %j', async (dags, addresses) => {
  const { location } = renderWith(
    new FakeBridge({ 'dags.list': () => ({ dags, total: dags.length }) }),
    <Tour />,
  );
  openTour();
  for (const address of addresses) {
    await waitUntilPasses(() => expect(location.history.at(-1)).toBe(address));
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  }
  fireEvent.click(await screen.findByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
