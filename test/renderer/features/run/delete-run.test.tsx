import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { queryKeys } from '../../../../renderer/api/query-keys.ts';
import { useRun } from '../../../../renderer/api/run-queries.ts';
import { DeleteRunDialog } from '../../../../renderer/features/run/rerun-button.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';
import { makeRunView } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

function RunWithQuestion() {
  const run = useRun('etl', 'run-1').data;
  return run ? <DeleteRunDialog run={run} onClose={() => undefined} /> : null;
}

test('a deleted run is not requested again, whatever its last event invalidates', async () => {
  const { promise: deleted, resolve: endDeletion } = Promise.withResolvers<{ removed: number; errors: [] }>();
  const bridge = new FakeBridge({
    'runs.get': () => makeRunView({ status: 'succeeded' }),
    'runs.delete': () => deleted,
  });
  const cache = new QueryClient();
  render(
    <Router hook={memoryLocation({ path: '/run' }).hook}>
      <BridgeProvider value={bridge}>
        <QueryClientProvider client={cache}>
          <Route path="/run" component={RunWithQuestion} />
          <Route path="/runs">The list</Route>
        </QueryClientProvider>
      </BridgeProvider>
    </Router>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Delete run' }));
  await waitUntilPasses(() => expect(bridge.callsOf('runs.delete')).toHaveLength(1));
  await act(() => cache.invalidateQueries({ queryKey: queryKeys.run('etl', 'run-1') }));
  endDeletion({ removed: 1, errors: [] });
  expect(await screen.findByText('The list')).toBeTruthy();
  expect(bridge.callsOf('runs.delete')).toEqual([{ name: 'etl', dagRunId: 'run-1' }]);
  expect(bridge.callsOf('runs.get')).toHaveLength(1);
});
