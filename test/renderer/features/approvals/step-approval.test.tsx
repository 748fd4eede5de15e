import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ApprovalView } from '../../../../core/contract/run-views.ts';
import { ApprovalNotice, StepApproval } from '../../../../renderer/features/approvals/step-approval.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { makeApprovalView, makeRunView, makeStepSpec, makeStepRunView } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

const running = makeRunView({ status: 'running' });

const bridgeWith = (approvals: ApprovalView[], role: 'operator' | 'viewer' = 'operator'): FakeBridge =>
  new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'approvals.list': () => ({ approvals }),
  });

test('a run page shows open approvals of the run and its sub-runs, and links to each step', async () => {
  const below = {
    id: 'q2',
    name: 'deploy',
    dagRunId: 'run-2',
    step: 'switch',
    question: 'Switch over?\nNow?',
  };
  const approvals = [
    makeApprovalView({ id: 'q3', dagRunId: 'another' }),
    makeApprovalView({ ...below, root: { name: 'etl', dagRunId: 'run-1' } }),
    makeApprovalView(),
  ];
  const onAnswer = vi.fn<React.ComponentProps<typeof ApprovalNotice>['onAnswer']>();
  renderWith(bridgeWith(approvals), <ApprovalNotice run={running} onAnswer={onAnswer} />);
  const buttons = await screen.findAllByRole('button', { name: 'Approve…' });
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'Step release is waiting for approval: Release 2.4 to production?Approve…',
    'Step switch of deploy is waiting for approval: Switch over?Approve…',
  ]);
  for (const button of buttons) fireEvent.click(button);
  expect(onAnswer.mock.calls).toEqual([
    [{ section: 'step', name: 'release' }, undefined],
    [
      { section: 'step', name: 'switch' },
      { name: 'deploy', dagRunId: 'run-2' },
    ],
  ]);
});

test('a viewer gets a link to the approval, without an approve button', async () => {
  renderWith(
    bridgeWith([makeApprovalView()], 'viewer'),
    <ApprovalNotice run={running} onAnswer={() => undefined} />,
  );
  expect(await screen.findByRole('button', { name: 'View' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve…' })).toBeNull();
});

const attempt = { startedAt: '2026-01-01T00:00:00.000Z', stdoutFile: '', stderrFile: '' };

test('a step shows its approval, its deadline, and the responses to earlier attempts', async () => {
  const approval = makeApprovalView({
    id: 'q2',
    attempt: 2,
    details: 'All 212 tests pass.',
    inputs: ['TICKET'],
  });
  const earlier = makeApprovalView({ id: 'q1', endedAt: '2026-01-01T01:00:10.000Z' });
  const ofAnother = makeApprovalView({ id: 'q0', step: 'other', endedAt: earlier.askedAt });
  const step = makeStepRunView('release', {
    status: 'running',
    approval,
    attempts: [
      { ...attempt, attempt: 1 },
      { ...attempt, attempt: 2 },
    ],
  });
  renderWith(
    bridgeWith([approval, earlier, ofAnother]),
    <StepApproval
      run={running}
      step={step}
      definition={makeStepSpec('release', [], { timeoutSec: 3600 })}
      isAsked
    />,
  );
  expect(screen.getByText('Release 2.4 to production?')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Details' }).textContent).toBe('All 212 tests pass.');
  expect(screen.getByTitle('The attempt fails if no one answers by then')).toBeTruthy();
  await waitUntilPasses(() => expect(document.activeElement).toBe(screen.getByLabelText('TICKET')));
  const before = within(await screen.findByRole('region', { name: 'Previous requests' }));
  expect(before.getAllByText('Not answered')).toHaveLength(1);
});
