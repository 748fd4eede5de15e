import { describe, expect, onTestFinished, test } from 'vitest';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { answer, approved, approvalSpec, rejected, waitForApproval } from '../../run/run-harness.ts';

async function openAsking() {
  const engine = new TestEngine();
  const run = await engine.start(approvalSpec());
  const asked = await waitForApproval(engine, run);
  const list = (input: OperationInput<'approvals.list'>) =>
    engine.host.api.call('approvals.list', input, testCaller);
  return { engine, run, asked, list };
}

describe('approvals.list', () => {
  test('lists open and answered approvals, newest first, page by page', async () => {
    const { engine, run, asked, list } = await openAsking();
    engine.clock.advance(5);
    const second = await waitForApproval(engine, await engine.start(approvalSpec()));
    const ids = async (input: OperationInput<'approvals.list'>) =>
      (await list(input)).approvals.map(({ id }) => id);
    expect(await ids({ decision: 'open' })).toEqual([second.id, asked.id]);
    const page = await list({ limit: 1 });
    expect(page.approvals).toEqual([second]);
    expect(await list({ limit: 1, cursor: page.nextCursor })).toEqual({ approvals: [asked] });
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'bad_request' });
    await answer(engine, asked, rejected);
    await answer(engine, second, approved);
    await engine.end(run);
    expect(await ids({ decision: 'open' })).toEqual([]);
    expect(await ids({ decision: 'rejected' })).toEqual([asked.id]);
    expect(await ids({ decision: 'approved', dag: 'asks' })).toEqual([second.id]);
    expect(await ids({ dagRunId: run.dagRunId })).toEqual([asked.id]);
    expect(await ids({ dag: 'other' })).toEqual([]);
  });
});

describe('approvals.answer', () => {
  test('rejects a second answer and names who answered', async () => {
    const { engine, run, asked } = await openAsking();
    await answer(engine, asked, approved, 'ann');
    await expect(answer(engine, asked, rejected, 'bob')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was already answered: approved by ann at'),
    });
    expect((await engine.end(run)).status).toBe('succeeded');
  });

  test.each([
    [{ decision: 'approved' }, 'values.TICKET', 'required for approval'],
    [
      { decision: 'approved', values: { TICKET: ' ' } },
      'values.TICKET',
      'values.TICKET: required for approval',
    ],
    [
      { decision: 'approved', values: { TIKET: '1' } },
      'values.TIKET',
      'values.TIKET: unknown input. Did you mean "TICKET"?',
    ],
    [
      { decision: 'rejected', values: { OTHER: '1' } },
      'values.OTHER',
      'values.OTHER: unknown input. Valid inputs: TICKET, REASON.',
    ],
  ] as const)('rejects invalid input and names the field: %j', async (given, field, words) => {
    const { engine, asked, list } = await openAsking();
    await expect(answer(engine, asked, given)).rejects.toMatchObject({
      code: 'bad_request',
      details: { field },
      message: expect.stringContaining(words),
    });
    expect((await list({ decision: 'open' })).approvals).toEqual([asked]);
  });

  test('requires no input when rejecting, and stores the fields that were filled in', async () => {
    const { engine, asked } = await openAsking();
    const given = await answer(engine, asked, { ...rejected, values: { REASON: 'too late', TICKET: '' } });
    expect(given).toMatchObject({ decision: 'rejected', values: { REASON: 'too late' } });
    expect(given.values).not.toHaveProperty('TICKET');
  });

  test('rejects an unknown approval', async () => {
    const { engine, asked } = await openAsking();
    await expect(answer(engine, { ...asked, id: 'x' }, approved)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is audited with its step, without the answer’s text', async () => {
    const { engine, run, asked } = await openAsking();
    await answer(engine, asked, { ...approved, comment: 'private' });
    await answer(engine, asked, rejected).catch(() => undefined);
    const { entries } = await engine.host.api.call('audit.list', {}, testCaller);
    const about = `asks/${run.dagRunId} · release · approved`;
    expect(entries.slice(0, 2)).toMatchObject([
      { actor: 'ann', target: `question ${asked.id} · rejected`, outcome: 'conflict' },
      { actor: 'ann', operation: 'approvals.answer', target: about, outcome: 'done' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('private');
  });
});

test('notifies subscribers when an approval is requested, answered or ended', async () => {
  const engine = new TestEngine();
  let items = 0;
  const observer = { item: () => (items += 1), end() {} };
  onTestFinished(engine.host.api.follow('system.changes', { topic: 'approvals' }, observer, testCaller));
  await until(() => items > 0);
  expect(items).toBe(1);
  const heardMore = async (than: number): Promise<void> =>
    until(() => {
      engine.clock.advance(1000);
      return items > than;
    });
  const first = await engine.start(approvalSpec());
  const asked = await waitForApproval(engine, first);
  await heardMore(1);
  const before = items;
  await answer(engine, asked, approved);
  await heardMore(before);
  const second = await engine.start(approvalSpec());
  await waitForApproval(engine, second);
  await heardMore(before + 1);
  const open = items;
  await engine.host.api.call('runs.stop', second, testCaller);
  await engine.end(second);
  await heardMore(open);
  expect(items).toBeGreaterThan(open);
});
