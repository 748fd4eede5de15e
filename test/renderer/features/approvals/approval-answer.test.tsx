import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { Role } from '../../../../core/contract/operation.ts';
import type { ApprovalView } from '../../../../core/contract/run-views.ts';
import { ApprovalAnswer } from '../../../../renderer/features/approvals/approval-answer.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { makeApprovalView } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

const at = '2026-01-01T00:01:00.000Z';

function open(approval: ApprovalView, role: Role = 'operator'): FakeBridge {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'approvals.answer': ({ decision, comment, values }) => ({
      ...approval,
      decision,
      comment,
      values,
      answeredBy: 'ann',
      answeredAt: at,
    }),
  });
  renderWith(bridge, <ApprovalAnswer approval={approval} />);
  return bridge;
}

const withInputs = makeApprovalView({ inputs: ['TICKET', 'REASON'], required: ['TICKET'] });
const press = async (name: string): Promise<boolean> =>
  fireEvent.click(await screen.findByRole('button', { name }));
const fill = (label: string, value: string): boolean =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('sends an approval with comment and inputs, and shows the response immediately', async () => {
  const bridge = open(withInputs);
  await screen.findByRole('button', { name: 'Approve' });
  expect(screen.getByLabelText('TICKET').getAttribute('aria-required')).toBe('true');
  expect(screen.getByLabelText('REASON').getAttribute('aria-required')).toBeNull();
  fill('TICKET', 'OPS-7');
  fill('Comment', 'Looks good');
  await press('Approve');
  const answer = within(await screen.findByRole('group', { name: 'Answer' }));
  expect(answer.getByText('Approved')).toBeTruthy();
  expect(answer.getByText('ann')).toBeTruthy();
  expect(answer.getByText('Looks good')).toBeTruthy();
  expect(answer.getByText('OPS-7')).toBeTruthy();
  expect(bridge.callsOf('approvals.answer')).toEqual([
    { id: 'q1', decision: 'approved', comment: 'Looks good', values: { TICKET: 'OPS-7' } },
  ]);
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('does not send an approval without a required input; its field shows the error and is focused', async () => {
  const bridge = open(withInputs);
  await press('Approve');
  const field = screen.getByLabelText('TICKET');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Required')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(bridge.callsOf('approvals.answer')).toEqual([]);
  fill('TICKET', 'OPS-7');
  expect(screen.queryByText('Required')).toBeNull();
});

test('a rejection needs no inputs', async () => {
  const bridge = open(withInputs);
  await press('Reject');
  expect(await screen.findByText('Rejected')).toBeTruthy();
  expect(bridge.callsOf('approvals.answer')).toEqual([{ id: 'q1', decision: 'rejected' }]);
});

test('Enter in a field sends nothing', async () => {
  const bridge = open(withInputs);
  await screen.findByRole('button', { name: 'Approve' });
  fill('TICKET', 'OPS-7');
  fireEvent.keyDown(screen.getByLabelText('TICKET'), { key: 'Enter' });
  fireEvent.submit(screen.getByLabelText('TICKET'));
  expect(bridge.callsOf('approvals.answer')).toEqual([]);
});

test('shows an error of the engine at its field, otherwise above the buttons', async () => {
  const bridge = open(withInputs);
  bridge.answers['approvals.answer'] = () => {
    throw new AppError('bad_request', 'values.REASON: it is too long', {
      details: { field: 'values.REASON' },
    });
  };
  await screen.findByRole('button', { name: 'Approve' });
  fill('TICKET', 'OPS-7');
  await press('Approve');
  await waitUntilPasses(() =>
    expect(screen.getByLabelText('REASON').getAttribute('aria-invalid')).toBe('true'),
  );
  expect(screen.getByText('It is too long')).toBeTruthy();
  bridge.answers['approvals.answer'] = () => {
    throw new AppError('conflict', 'bob has rejected it already.');
  };
  await press('Approve');
  expect((await screen.findByRole('alert')).textContent).toContain('bob has rejected it already.');
  expect(screen.getByLabelText<HTMLInputElement>('TICKET').value).toBe('OPS-7');
});

test('a viewer sees who may respond, and no buttons', async () => {
  open(withInputs, 'viewer');
  expect(await screen.findByText(/Requires the operator role. Your role is viewer\./)).toBeTruthy();
  expect(screen.queryByRole('group')).toBeNull();
});

test('an approval whose step ended without a response says so', () => {
  open(makeApprovalView({ endedAt: at }));
  expect(screen.getByText('Not answered')).toBeTruthy();
  expect(screen.queryByRole('group', { name: 'Your answer' })).toBeNull();
});
