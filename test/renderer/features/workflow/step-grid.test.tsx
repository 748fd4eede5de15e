import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { StepGrid } from '../../../../renderer/features/workflow/step-grid.tsx';
import { makeRunSummaryView, makeStepSpec, makeWorkflowSpec } from '../../../harness/samples.ts';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const workflow = makeWorkflowSpec([makeStepSpec('extract'), makeStepSpec('load')]);
const makeRun = (dagRunId: string, status: 'succeeded' | 'failed') =>
  makeRunSummaryView({ name: 'etl', dagRunId, status });

test('the grid has a row per step and a column per run, latest on the right', async () => {
  const bridge = new FakeBridge({
    'runs.stepHistory': () => ({
      runs: [
        {
          run: makeRun('r2', 'failed'),
          steps: [
            { name: 'extract', status: 'succeeded' },
            { name: 'load', status: 'failed' },
          ],
        },
        { run: makeRun('r1', 'succeeded'), steps: [{ name: 'removed', status: 'succeeded' }] },
      ],
    }),
  });
  renderWith(bridge, <StepGrid name="etl" workflow={workflow} />);
  await screen.findByRole('table');
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'extract',
    'load',
    'removed',
  ]);
  const links = screen.getAllByRole('link', { name: /^(load|Run of)/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/runs/etl/r1',
    '/runs/etl/r2',
    '/runs/etl/r1?step=load',
    '/runs/etl/r2?step=load',
  ]);
  // One stop for the Tab key; arrows move from there.
  expect(screen.getAllByRole('link').filter(({ tabIndex }) => tabIndex === 0)).toEqual([links[1]]);
  links[1]!.focus();
  fireEvent.keyDown(links[1]!, { key: 'ArrowDown' });
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(links[3]);
});

test('a workflow without runs says what the grid will show', async () => {
  renderWith(
    new FakeBridge({ 'runs.stepHistory': () => ({ runs: [] }) }),
    <StepGrid name="etl" workflow={workflow} />,
  );
  expect(await screen.findByText('Each run adds a column with the status of its steps.')).toBeDefined();
});
