import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { applyEvent } from '../../../renderer/api/apply-event.ts';
import { listStaleKeys, patchCache } from '../../../renderer/api/patch-cache.ts';
import { queryKeys } from '../../../renderer/api/query-keys.ts';
import { isAsking } from '../../../renderer/format/values.ts';
import { makeApprovalView, makeEventView, makeRunView, makeStepRunView } from '../../harness/samples.ts';

const node = { section: 'step', name: 'release' } as const;
const of = { node, attempt: 1 };
const asked = {
  type: 'step.approval_requested',
  ...of,
  id: 'q1',
  question: 'Go on?',
  inputs: [],
  required: [],
} as const;
const answered = {
  type: 'step.approval_resolved',
  ...of,
  id: 'q1',
  decision: 'approved',
  by: 'ann',
  values: {},
} as const;
const finished = { type: 'step.finished', ...of, status: 'failed', error: 'timed out' } as const;

/** Ids of the approvals still open after an event of the run. */
function openAfter(event: RunEvent): string[] {
  const cache = new QueryClient();
  cache.setQueryData(queryKeys.openApprovals, {
    approvals: [
      makeApprovalView(),
      makeApprovalView({ id: 'q2', step: 'other' }),
      makeApprovalView({ id: 'q3', dagRunId: 'x' }),
    ],
  });
  patchCache(cache, [makeEventView(1, event)]);
  const list = cache.getQueryData<OperationOutput<'approvals.list'>>(queryKeys.openApprovals);
  return list!.approvals.map(({ id }) => id);
}

test('an approval is open until it is answered, or its attempt or its run ends', () => {
  expect(openAfter(asked)).toEqual(['q1', 'q2', 'q3']);
  expect(openAfter(answered)).toEqual(['q2', 'q3']);
  expect(openAfter(finished)).toEqual(['q2', 'q3']);
  expect(openAfter({ type: 'run.finished', status: 'aborted', outputs: {} })).toEqual(['q3']);
});

test('every new or answered approval invalidates all lists of approvals', () => {
  for (const event of [asked, answered])
    expect(listStaleKeys(makeEventView(1, event))).toEqual([queryKeys.approvals]);
});

test('an open run shows a step as waiting for approval until it is answered', () => {
  const steps = [makeStepRunView('release', { status: 'running' })];
  const picture = [asked, answered].map((_, index, events) =>
    events
      .slice(0, index + 1)
      .map((event, place) => makeEventView(place + 1, event))
      .reduce(applyEvent, makeRunView({ status: 'running', steps })),
  );
  expect(picture.map(({ steps: [step] }) => isAsking(step!))).toEqual([true, false]);
  expect(picture[1]?.steps[0]?.approval).toMatchObject({ decision: 'approved', answeredBy: 'ann' });
});
