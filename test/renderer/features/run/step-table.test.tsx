import { cleanup, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { StepTable } from '../../../../renderer/features/run/step-table.tsx';
import { makeRunView, makeStepRunView } from '../../../harness/samples.ts';

const attempt = {
  ...{ attempt: 1, startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ stdoutFile: '/logs/out', stderrFile: '/logs/err' },
};

function readHeads(steps: ReturnType<typeof makeStepRunView>[]): (string | null)[] {
  render(<StepTable run={makeRunView({ steps })} selected={undefined} onSelect={() => undefined} />);
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  cleanup();
  return heads;
}

test('shows the attempts column if a step has more than one', () => {
  const once = makeStepRunView('fetch', { attempts: [attempt] });
  const twice = makeStepRunView('build', { attempts: [attempt, { ...attempt, attempt: 2 }] });
  expect(readHeads([once])).toEqual(['Step', 'Status', 'Exit', 'Duration']);
  expect(readHeads([once, twice])).toEqual(['Step', 'Status', 'Attempts', 'Exit', 'Duration']);
});
