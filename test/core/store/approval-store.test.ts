import { expect, it } from 'vitest';
import type { Answer } from '../../../core/model/approval.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import type { Store } from '../../../core/store/open-store.ts';
import { describeOnStores } from '../../harness/databases.ts';
import { createOwnedRun, openTestStore, thrownBy, type OwnedRun } from './store-harness.ts';

const node = { section: 'step', name: 'release' } as const;
const yes: Answer = { decision: 'approved', by: 'ann', comment: 'fine', values: { TICKET: 'T-1' } };
const no: Answer = { decision: 'rejected', by: 'bob', values: {} };
const ended: RunEvent = { type: 'step.finished', node, attempt: 1, status: 'failed' };

/** A run with a question; ids of questions grow with their request time. */
async function ask(store: Store, id: string, name = 'etl'): Promise<OwnedRun> {
  const owned = await createOwnedRun(store, { name });
  const outcome = await owned.write([
    { type: 'run.started', logDir: 'logs' },
    { type: 'step.started', node, attempt: 1, dir: 'release/1' },
    {
      type: 'step.approval_requested',
      node,
      attempt: 1,
      id,
      question: 'Release?\nReally?',
      details: '42 tests',
      inputs: ['TICKET', 'REASON'],
      required: ['TICKET'],
    },
  ]);
  expect(outcome).toEqual({ outcome: 'written' });
  return owned;
}

const idsOf = (store: Store, filter: object): string[] =>
  store.approvals.list({ limit: 10, ...filter }).approvals.map(({ id }) => id);

describeOnStores('approvals', () => {
  it('are stored with their run and step, and so are the answers', async () => {
    const store = openTestStore();
    const { run } = await ask(store, 'q1');
    const asked = {
      id: 'q1',
      run: { name: 'etl', dagRunId: run.dagRunId },
      node,
      attempt: 1,
      question: 'Release?\nReally?',
      details: '42 tests',
      inputs: ['TICKET', 'REASON'],
      required: ['TICKET'],
      askedAt: 2002,
    };
    expect(store.approvals.find('q1')).toEqual(asked);
    expect(store.approvals.findForAttempt(run.key, node, 1)).toEqual(asked);
    expect(store.approvals.findForAttempt(run.key, node, 2)).toBeUndefined();
    expect(store.getDetail(run)!.steps[0]!.approval).toEqual(asked);
    const answered = { ...asked, answer: { ...yes, at: 5000 } };
    expect(store.approvals.answer('q1', yes, 5000)).toEqual(answered);
    expect(store.approvals.find('q1')).toEqual(answered);
    expect((await store.listEvents(0, 100, run)).at(-1)).toMatchObject({
      at: 5000,
      event: { type: 'step.approval_resolved', node, attempt: 1, id: 'q1', ...yes },
    });
  });

  it('are answered once', async () => {
    const store = openTestStore();
    const { run } = await ask(store, 'q1');
    store.approvals.answer('q1', yes, 5000);
    const error = await thrownBy(() => store.approvals.answer('q1', no, 6000));
    expect(error.code).toBe('conflict');
    expect(error.message).toBe(
      `The approval request of step release of run etl/${run.dagRunId} was already answered: approved by ann at 1970-01-01T00:00:05.000Z.`,
    );
    expect(store.approvals.find('q1')!.answer!.by).toBe('ann');
    expect((await thrownBy(() => store.approvals.answer('q2', no, 6000))).code).toBe('not_found');
  });

  it('end with their attempt, and cannot be answered afterwards', async () => {
    const store = openTestStore();
    const { write } = await ask(store, 'q1');
    await write([ended], 7000);
    expect(store.approvals.find('q1')!.endedAt).toBe(7000);
    const error = await thrownBy(() => store.approvals.answer('q1', yes, 8000));
    expect(error).toMatchObject({ code: 'conflict' });
    expect(error.message).toContain('ended at 1970-01-01T00:00:07.000Z without an answer');
    expect(store.approvals.find('q1')!.answer).toBeUndefined();
  });

  it('are listed newest first, by state, workflow and run, page by page', async () => {
    const store = openTestStore();
    const [first] = [
      await ask(store, 'q1'),
      await ask(store, 'q2', 'other'),
      await ask(store, 'q3'),
      await ask(store, 'q4'),
    ];
    store.approvals.answer('q3', no, 5000);
    await first.write([ended]);
    expect(idsOf(store, {})).toEqual(['q4', 'q3', 'q2', 'q1']);
    expect(idsOf(store, { state: 'open' })).toEqual(['q4', 'q2']);
    expect(idsOf(store, { state: 'rejected' })).toEqual(['q3']);
    expect(idsOf(store, { name: 'other' })).toEqual(['q2']);
    expect(idsOf(store, { dagRunId: first.run.dagRunId })).toEqual(['q1']);
    const page = store.approvals.list({ limit: 3 });
    expect(page.next).toBe('q2');
    expect(idsOf(store, { before: page.next })).toEqual(['q1']);
    expect(store.approvals.list({ limit: 4 }).next).toBeUndefined();
  });

  it('have another version when one is requested, answered or ended', async () => {
    const store = openTestStore();
    const marks = [store.approvals.mark()];
    const { write } = await ask(store, 'q1');
    marks.push(store.approvals.mark());
    await ask(store, 'q2');
    marks.push(store.approvals.mark());
    store.approvals.answer('q2', yes, 5000);
    marks.push(store.approvals.mark());
    await write([ended]);
    marks.push(store.approvals.mark());
    expect(new Set(marks).size).toBe(marks.length);
    expect(store.approvals.mark()).toBe(marks.at(-1));
  });

  it('are deleted with their run', async () => {
    const store = openTestStore();
    const { run, write } = await ask(store, 'q1');
    await write([ended, { type: 'run.finished', status: 'failed', outputs: {} }]);
    await store.deleteRun(run);
    expect(store.approvals.find('q1')).toBeUndefined();
    expect(idsOf(store, {})).toEqual([]);
  });

  it('are requested and answered by the right side only', async () => {
    const store = openTestStore();
    const { write } = await ask(store, 'q1');
    expect(
      (await write([{ type: 'step.approval_resolved', node, attempt: 1, id: 'q1', ...yes }])).outcome,
    ).toBe('illegal');
    const again = { node, attempt: 2, question: 'Again?', inputs: [], required: [] };
    expect((await write([{ type: 'step.approval_requested', id: 'q2', ...again }])).outcome).toBe('illegal');
  });
});
