import { expect, test } from 'vitest';
import type { ApprovalRecord } from '../../../core/model/approval.ts';
import { ApprovalRequests } from '../../../core/run/approval-requests.ts';
import { FakeClock } from '../../harness/fakes.ts';

const node = { section: 'step', name: 'release' } as const;

const open: ApprovalRecord = {
  ...{ id: 'q1', run: { name: 'etl', dagRunId: 'r1' }, node, attempt: 1 },
  ...{ question: 'Release?', details: undefined, inputs: [], required: [] },
  ...{ askedAt: 1, answer: undefined, endedAt: undefined },
};
const answer = { decision: 'approved', by: 'ann', comment: undefined, values: {}, at: 2 } as const;

test('an answer that is stored during a read is found without another poll interval', async () => {
  const records = [open, open, { ...open, answer }];
  const findForAttempt = async (): Promise<ApprovalRecord | undefined> => {
    const record = records.shift();
    if (records.length === 1) requests.wakeAll();
    return record;
  };
  const requests = new ApprovalRequests(
    { findForAttempt },
    new FakeClock(),
    1,
    () => {},
    async () => {},
  );
  const { signal } = new AbortController();
  const answered = await requests
    .forAttempt(node, 1)
    .ask(() => Promise.reject(new Error('asked twice')), signal);
  expect(answered.answer).toEqual(answer);
});
