import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ApprovalView } from '../../../../core/contract/run-views.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { ApprovalsPage, approvalExample } from '../../../../renderer/features/approvals/approvals-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { makeApprovalView } from '../../../harness/samples.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

const newer = makeApprovalView({ id: 'q3', question: 'Delete the old data?', step: 'delete' });
const older = makeApprovalView({ id: 'q2' });
const answered = makeApprovalView({
  id: 'q1',
  question: 'Pay the invoices?\nThere are 12.',
  step: 'pay',
  decision: 'rejected',
  answeredBy: 'bob',
  answeredAt: '2026-01-01T00:01:00.000Z',
});

/** The engine's list, newest first, as in `all`. */
function open(all: ApprovalView[], path = '/approvals') {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'operator'),
    'approvals.list': ({ decision }) => ({
      approvals: all.filter(
        (one) => decision === undefined || decision === (one.decision ?? (one.endedAt ? 'ended' : 'open')),
      ),
    }),
    'approvals.answer': ({ id, decision }) => {
      const place = all.findIndex((one) => one.id === id);
      all[place] = { ...all[place]!, decision, answeredBy: 'ann', answeredAt: '2026-01-01T00:02:00.000Z' };
      return all[place];
    },
  });
  const { location } = renderWith(bridge, <ApprovalsPage />, { path });
  return { bridge, location };
}

const listed = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Approvals' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

test('lists open approvals first, the longest waiting on top; answered ones follow', async () => {
  open([newer, older, answered], '/approvals?show=all');
  await screen.findByRole('region', { name: 'release of etl' });
  expect(listed()).toEqual([
    expect.stringContaining('Release 2.4 to production?'),
    expect.stringContaining('Delete the old data?'),
    expect.stringMatching(/^Pay the invoices\?etl › payRejected/),
  ]);
  expect(screen.getByRole('radio', { name: 'Open (2)' })).toBeTruthy();
});

test('opens on the open approvals; without any, one button shows all', async () => {
  open([newer, answered]);
  await screen.findByRole('region', { name: 'delete of etl' });
  expect(listed()).toHaveLength(1);
  cleanup();
  open([answered]);
  expect(await screen.findByText('No open approvals')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(await screen.findByRole('region', { name: 'pay of etl' })).toBeTruthy();
});

test('an approval stays visible when it is answered, and when others arrive', async () => {
  const all = [older];
  const { bridge } = open(all);
  await screen.findByRole('region', { name: 'release of etl' });
  fireEvent.change(await screen.findByLabelText('Comment'), { target: { value: 'let me see' } });
  all.unshift(newer, makeApprovalView({ id: 'q0', question: 'Asked long ago?', step: 'old' }));
  bridge.push('system.changes', { topic: 'approvals' });
  await screen.findByText('Asked long ago?');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('let me see');
  fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
  const detail = within(screen.getByRole('region', { name: 'release of etl' }));
  expect(await detail.findByText('Approved')).toBeTruthy();
  await waitUntilPasses(() => expect(listed()[0]).toContain('Asked long ago?'));
  expect(screen.getByRole('region', { name: 'release of etl' })).toBeTruthy();
});

test('a late response shows who was first', async () => {
  const all = [older];
  const { bridge } = open(all);
  bridge.answers['approvals.answer'] = () => {
    all[0] = { ...older, decision: 'rejected', answeredBy: 'bob', answeredAt: older.askedAt };
    throw new Error('bob has rejected it already.');
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  const detail = within(screen.getByRole('region', { name: 'release of etl' }));
  expect(await detail.findByText('Rejected')).toBeTruthy();
  expect(detail.getByRole('alert').textContent).toContain('bob has rejected it already.');
});

test('a link to a missing approval shows a notice above another one', async () => {
  open([newer, older], '/approvals?approval=q9');
  await screen.findByRole('region', { name: 'release of etl' });
  expect(await screen.findByText('Approval "q9" not found.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /^Delete the old data/ }));
  await screen.findByRole('region', { name: 'delete of etl' });
  expect(screen.queryByText(/There is no approval/)).toBeNull();
});

test('filters the list and stores the filter in the URL', async () => {
  const { location, bridge } = open([newer, older, answered], '/approvals?show=rejected');
  expect(await screen.findByRole('region', { name: 'pay of etl' })).toBeTruthy();
  expect(listed()).toHaveLength(1);
  expect(bridge.callsOf('approvals.list')).toContainEqual(expect.objectContaining({ decision: 'rejected' }));
  fireEvent.click(screen.getByRole('radio', { name: 'Approved' }));
  expect(await screen.findByText('No approved requests')).toBeTruthy();
  expect(location.history.at(-1)).toBe('/approvals?show=approved');
});

test('the empty state explains approval steps, with a valid example', async () => {
  open([]);
  expect(await screen.findByText('No approvals yet')).toBeTruthy();
  const { workflows, diagnostics } = loadSpec({ text: approvalExample, file: 'example.yaml' });
  expect(diagnostics).toEqual([]);
  expect(workflows[0]?.steps[1]).toMatchObject({ action: { kind: 'executor', type: 'approval' } });
});
