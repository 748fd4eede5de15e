import { expect, test } from 'vitest';
import { useCanonicalRunUrl } from '../../../renderer/features/run/run-page.tsx';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';

function Page({ dagRunId }: { readonly dagRunId: string }) {
  useCanonicalRunUrl({ name: 'etl', dagRunId }, { name: 'etl', dagRunId: 'r7' });
  return null;
}

test.each(['latest', 'r7'])('a link to the run %s of a workflow opens that run', (dagRunId) => {
  const path = `/runs/etl/${dagRunId}`;
  const { location } = renderWith(new FakeBridge({}), <Page dagRunId={dagRunId} />, { path });
  expect(location.history).toEqual(['/runs/etl/r7']);
});
