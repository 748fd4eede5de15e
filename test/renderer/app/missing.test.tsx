import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { EditorPage } from '../../../renderer/editor/page/editor-page.tsx';
import { ComparePage } from '../../../renderer/features/compare/compare-page.tsx';
import { QueuesPage } from '../../../renderer/features/queues/queues-page.tsx';
import { RunPage } from '../../../renderer/features/run/run-page.tsx';
import { WorkflowPage } from '../../../renderer/features/workflow/workflow-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../renderer-harness.tsx';

/** Shows a page with an engine that responds with not found. */
function show(content: React.ReactNode, error: AppError) {
  const refuse = (): never => {
    throw error;
  };
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'admin'),
    'dags.get': refuse,
    'dags.spec': refuse,
    'drafts.get': refuse,
    'runs.get': refuse,
  });
  renderWith(bridge, content);
  return bridge;
}

const pages = [
  ['a workflow', <WorkflowPage key="" fileName="etl" />, 'Workflow "etl"', 'All workflows'],
  ['the editor', <EditorPage key="" fileName="etl" />, 'Workflow "etl"', 'All workflows'],
  ['a run', <RunPage key="" name="etl" dagRunId="r1" />, 'Run r1 of "etl"', 'All runs'],
  [
    'a comparison',
    <ComparePage key="" nameA="etl" idA="r1" nameB="etl" idB="r2" />,
    'Run r1 of "etl"',
    'All runs',
  ],
] as const;

describe.each(pages)('the page of %s', (_, page, what, list) => {
  test('shows that an unknown item does not exist, and links to the list', async () => {
    show(page, new AppError('not_found', 'there is none'));
    expect(await screen.findByRole('heading', { name: `${what} not found` })).toBeTruthy();
    expect(screen.getByRole('link', { name: list })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('offers to retry after any other error', async () => {
    const bridge = show(page, new AppError('unavailable', 'the engine is busy'));
    const asked = () => bridge.callsOf('dags.get').length + bridge.callsOf('runs.get').length;
    expect(await screen.findByText('the engine is busy')).toBeTruthy();
    const before = asked() + bridge.callsOf('dags.spec').length;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(asked() + bridge.callsOf('dags.spec').length).toBeGreaterThan(before);
  });
});

test('a link to an unused queue shows a notice above another queue', async () => {
  const counts = { totalQueues: 1, totalRunning: 0, totalQueued: 0 };
  const summary = { ...counts, totalCapacity: 0, utilizationPercentage: 0 };
  const state = { type: 'dag-based', state: 'open', runningCount: 0, queuedCount: 0 } as const;
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'admin'),
    'queues.list': () => ({
      queues: [{ ...state, name: 'mail', running: [], queued: [] }],
      summary,
      processed: true,
    }),
    'queues.items': () => ({ items: [] }),
  });
  renderWith(bridge, <QueuesPage />, { path: '/queues?queue=reports' });
  expect(await screen.findByText('Queue "reports" not found.')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Queue mail' })).toBeTruthy();
});
