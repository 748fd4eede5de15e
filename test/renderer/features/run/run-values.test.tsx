import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RunValues } from '../../../../renderer/features/run/run-values.tsx';
import { makeRunView } from '../../../harness/samples.ts';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const makeDag = (fileName: string) => ({
  fileName,
  name: fileName,
  tags: [],
  schedule: { start: [], stop: [], restart: [] },
  suspended: false,
  stepCount: 1,
  valid: true,
});

test('values are resolved from the folder of the file of the run', async () => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('anna', 'operator'),
    'dags.list': () => ({ dags: [makeDag('load'), makeDag('etl/load')], total: 2 }),
    'runs.dry': () => ({ name: 'load', runnable: true, ranSubstitutions: false, plans: [], findings: [] }),
  });
  renderWith(bridge, <RunValues run={makeRunView({ name: 'load', file: '/h/dags/etl/load.yaml' })} />);
  await screen.findByRole('region', { name: 'Locations' });
  await waitFor(() => expect(bridge.callsOf('runs.dry')).toHaveLength(1));
  expect(bridge.callsOf('runs.dry')).toEqual([expect.objectContaining({ fileName: 'etl/load' })]);
});
