import { expect, test } from 'vitest';
import { useCanonicalRunUrl } from '../../../../renderer/features/run/run-page.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

function Page({ dagRunId }: { readonly dagRunId: string }) {
  useCanonicalRunUrl({ name: 'etl', dagRunId }, { name: 'etl', dagRunId: 'r7' });
  return null;
}

test.each(['latest', 'r7'])('a link to the run %s of a workflow opens that run', (dagRunId) => {
  const path = `/runs/etl/${dagRunId}`;
  const { location } = renderWith(new FakeBridge({}), <Page dagRunId={dagRunId} />, { path });
  expect(location.history).toEqual(['/runs/etl/r7']);
});

test('a link to the latest run keeps its view', () => {
  const path = '/runs/etl/latest?view=timeline&step=load';
  const { location } = renderWith(new FakeBridge({}), <Page dagRunId="latest" />, { path });
  expect(location.history.at(-1)).toBe('/runs/etl/r7?view=timeline&step=load');
});
