import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { RunDetailView } from '../../../../core/contract/run-views.ts';
import type { RerunPlanView } from '../../../../core/contract/runs.ts';
import { applyEvent } from '../../../../renderer/api/apply-event.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { patchSummary } from '../../../../renderer/api/patch-cache.ts';
import { RerunButton } from '../../../../renderer/features/run/rerun-button.tsx';
import { SetStepStatusMenu, StepRerun } from '../../../../renderer/features/run/step-actions.tsx';
import { RerunDialog } from '../../../../renderer/features/run/rerun-dialog.tsx';
import { ToastRegion } from '../../../../renderer/ui/toasts.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';
import {
  makeEventView,
  makeRunView,
  makeStepSpec,
  makeStepRunView,
  makeRunSummaryView,
  makeWorkflowSpec,
} from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

const plan: RerunPlanView = {
  steps: [
    { name: 'fetch', action: 'keep', status: 'succeeded', reason: 'succeeded before' },
    { name: 'build', action: 'run', status: 'failed', reason: 'failed' },
  ],
  handlers: ['exit'],
};
const failedRun = makeRunView({
  status: 'failed',
  steps: [makeStepRunView('fetch', { status: 'succeeded' }), makeStepRunView('build', { status: 'failed' })],
});

function show(bridge: FakeBridge, content: React.ReactNode): void {
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>{content}</QueryClientProvider>
    </BridgeProvider>,
  );
}

const answers = (given: RerunPlanView = plan) =>
  new FakeBridge({
    'runs.retryPlan': () => given,
    'runs.retry': ({ name, dagRunId }) => ({ name, dagRunId, plan: given }),
  });

/** The names under a heading of the plan. */
const namesUnder = (title: string): string[] =>
  within(screen.getByRole('region', { name: title }))
    .getAllByRole('listitem')
    .map((item) => item.firstElementChild!.textContent);

const openMenu = (name: string): void => {
  const button = screen.getByRole('button', { name });
  fireEvent.keyDown(button, { key: 'Enter' });
  fireEvent.keyUp(button, { key: 'Enter' });
};

test('offers to retry a failed run, and shows what reruns and what is reused', async () => {
  const bridge = answers();
  show(bridge, <RerunButton run={failedRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry…' }));
  expect(await screen.findByRole('dialog', { name: 'Retry etl' })).toBeTruthy();
  await screen.findByRole('region', { name: 'Rerun (1)' });
  expect(namesUnder('Rerun (1)')).toEqual(['build']);
  expect(namesUnder('Keep (1)')).toEqual(['fetch']);
  expect(screen.getByText('Handlers also rerun: exit.')).toBeTruthy();
  expect(bridge.callsOf('runs.retry')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Run 1 step' }));
  await waitUntilPasses(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.callsOf('runs.retry')).toEqual([{ name: 'etl', dagRunId: 'run-1' }]);
});

test('resumes with the current file if it has changed, or with the version of the run', async () => {
  const own: RerunPlanView = { ...plan, spec: 'run', file: { state: 'changed' }, lost: [] };
  const current: RerunPlanView = {
    ...own,
    spec: 'file',
    steps: [
      { name: 'fetch', action: 'keep', status: 'succeeded', reason: 'already succeeded' },
      { name: 'build', action: 'run', status: 'failed', reason: 'failed; text changed' },
      { name: 'check', action: 'new', status: 'not_started', reason: 'new in the file' },
      { name: 'tidy', action: 'removed', status: 'succeeded', reason: 'not in the file' },
    ],
    lost: [{ name: 'tidy' }],
  };
  const bridge = new FakeBridge({
    'dags.list': () => ({ dags: [], errors: [], total: 0 }),
    'runs.retryPlan': ({ spec }) => (spec === 'file' ? current : own),
    'runs.retry': ({ name, dagRunId }) => ({ name, dagRunId, plan: current }),
  });
  show(bridge, <RerunButton run={failedRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry…' }));
  await screen.findByText('The file has changed since this run.');
  await screen.findByRole('radio', { name: 'Resume with the current file (runs 2 of 3 steps)' });
  expect(namesUnder('Rerun (2)')).toEqual(['build', 'check']);
  expect(namesUnder('Removed (1)')).toEqual(['tidy']);
  const submit = screen.getByRole('button', { name: 'Run 2 steps' });
  expect(submit.hasAttribute('disabled')).toBe(true);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Continue without the results of tidy' }));
  fireEvent.click(submit);
  const ref = { name: 'etl', dagRunId: 'run-1' };
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.retry')).toEqual([{ ...ref, spec: 'file', acceptRemoved: true }]),
  );
});

test('retries with the version of the run on request', async () => {
  const own: RerunPlanView = { ...plan, spec: 'run', file: { state: 'changed' } };
  const bridge = new FakeBridge({
    'dags.list': () => ({ dags: [], errors: [], total: 0 }),
    'runs.retryPlan': ({ spec = 'run' }) => ({ ...own, spec }),
    'runs.retry': ({ name, dagRunId }) => ({ name, dagRunId, plan: own }),
  });
  show(bridge, <RerunButton run={failedRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry…' }));
  const label = 'Retry with the version of this run (runs 1 of 2 steps)';
  fireEvent.click(await screen.findByRole('radio', { name: label }));
  fireEvent.click(await screen.findByRole('button', { name: 'Run 1 step' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.retry')).toEqual([{ name: 'etl', dagRunId: 'run-1' }]),
  );
});

test('says why an invalid file cannot be used', async () => {
  const problem = 'etl.yaml:2:3: Unknown field "comand".';
  show(answers({ ...plan, file: { state: 'invalid', problem } }), <RerunButton run={failedRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry…' }));
  const notice = await screen.findByText(/The current file has errors/);
  expect(notice.textContent).toContain(problem);
  expect(screen.queryByRole('radio', { name: /Resume/ })).toBeNull();
});

test('reruns a step alone, or from there on', async () => {
  const bridge = answers();
  show(bridge, <StepRerun run={failedRun} step="build" />);
  openMenu('Rerun step…');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rerun from here…' }));
  const options = { name: 'etl', dagRunId: 'run-1', stepName: 'build' };
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.retryPlan')).toEqual([{ ...options, downstream: true }]),
  );
  fireEvent.click(await screen.findByRole('radio', { name: 'Only this step' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.retryPlan').at(-1)).toEqual({ ...options, downstream: false }),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Run 1 step' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.retry')).toEqual([{ ...options, downstream: false }]),
  );
});

test('a step of an active run cannot be rerun, and the reason is reachable by keyboard', async () => {
  show(answers(), <StepRerun run={makeRunView({ status: 'running' })} step="build" />);
  const button = screen.getByRole('button', { name: 'Rerun step…' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.keyDown(document.body, { key: 'Tab' });
  button.focus();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Available when the run has finished.');
  fireEvent.click(button);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('shows an error of the engine in the dialog, and disables starting', async () => {
  const refuse = (): never => {
    throw new AppError('nothing_to_retry', 'No step of etl failed. Name the step to begin with.');
  };
  show(new FakeBridge({ 'runs.retryPlan': refuse }), <RerunButton run={failedRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry…' }));
  expect((await screen.findByRole('alert')).textContent).toContain('No step of etl failed');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Retry' }).disabled).toBe(true);
});

test('a rejected retry leaves the dialog open with the reason', async () => {
  const bridge = answers();
  bridge.answers['runs.retry'] = () => {
    throw new AppError('max_run_reached', 'etl has 1 active run.');
  };
  show(bridge, <RerunButton run={failedRun} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Run 1 step' }));
  expect((await screen.findByRole('alert')).textContent).toContain('etl has 1 active run');
});

test('a succeeded run can be retried and rerun from its menu only', async () => {
  const bridge = new FakeBridge({ 'runs.reschedule': () => ({ name: 'etl', dagRunId: 'run-2' }) });
  show(bridge, <RerunButton run={makeRunView({ status: 'succeeded' })} />);
  expect(screen.queryByRole('button', { name: 'Retry…' })).toBeNull();
  openMenu('More rerun options');
  expect(await screen.findByRole('menuitem', { name: 'Retry from step…' })).toBeTruthy();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Rerun with same parameters' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.reschedule')).toEqual([{ name: 'etl', fromRunId: 'run-1' }]),
  );
  await waitUntilPasses(() => expect(location.pathname + location.hash).toContain('run-2'));
});

test('the mark of a step can be removed', async () => {
  const step = makeStepRunView('build', { status: 'failed' });
  const bridge = new FakeBridge({
    'runs.setStepStatus': (input) => ({
      ...input,
      previous: input.status === 'failed' ? 'succeeded' : 'failed',
    }),
  });
  show(
    bridge,
    <>
      <SetStepStatusMenu run={failedRun} step={step} />
      <ToastRegion />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Mark build as…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Mark as succeeded' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('build marked as failed again.')).toBeTruthy();
  const options = { name: 'etl', dagRunId: 'run-1', step: 'build' };
  expect(bridge.callsOf('runs.setStepStatus')).toEqual([
    { ...options, status: 'succeeded' },
    { ...options, status: 'failed' },
  ]);
});

test('a queued run shows the workflow at creation next to the current file', async () => {
  const workflow = makeWorkflowSpec([makeStepSpec('fetch')]);
  const bridge = new FakeBridge({
    'dags.get': ({ fileName }) => ({
      fileName,
      name: fileName,
      tags: [],
      suspended: false,
      stepCount: 1,
      valid: true,
      schedule: { start: [], stop: [], restart: [] },
      errorCount: 0,
      file: '/h/dags/etl.yaml',
      spec: 'steps: [other]',
      diagnostics: [],
      workflow,
      localDags: [],
    }),
    'runs.enqueue': () => ({ name: 'etl', dagRunId: 'run-2' }),
  });
  const run = makeRunView({ status: 'failed', workflow, spec: 'steps: [one]' });
  show(bridge, <RerunDialog run={run} fileName="etl" onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole('radio', { name: /this run/i }));
  fireEvent.click(screen.getByRole('button', { name: 'Queue' }));
  await waitUntilPasses(() =>
    expect(bridge.callsOf('runs.enqueue')).toEqual([{ spec: 'steps: [one]', name: 'etl', fileName: 'etl' }]),
  );
});

test('snapshots and lists follow a resumed run', () => {
  const event = makeEventView(9, { type: 'run.retried', by: 'ann', steps: ['build'] });
  const ended = {
    status: 'failed',
    finishedAt: '2026-01-01T00:00:05.000Z',
    error: 'no',
    cause: 'steps',
  } as const;
  expect(patchSummary(makeRunSummaryView(ended), event)).toMatchObject({
    status: 'not_started',
    finishedAt: undefined,
    error: undefined,
    cause: undefined,
  });
  const child = {
    type: 'step.sub_run',
    node: { section: 'step', name: 'build' },
    name: 'sub',
    dagRunId: 'c',
  } as const;
  const pictures = [event, makeEventView(10, child), makeEventView(11, child)];
  const run = pictures.reduce<RunDetailView>(applyEvent, makeRunView({ ...failedRun, ...ended }));
  expect(run.steps.map(({ status, subRuns }) => [status, subRuns])).toEqual([
    ['succeeded', []],
    ['not_started', [{ name: 'sub', dagRunId: 'c' }]],
  ]);
});
