import { describe, expect, test, vi } from 'vitest';
import { statusesOf, TestEngine, testCaller, stdoutOf, stderrOf } from '../../../harness/engine.ts';
import {
  answer,
  approved,
  approvalSpec,
  eventsOf,
  rejected,
  releaseOf,
  waitForApproval,
} from '../../run/run-harness.ts';

describe('approval step', () => {
  test('waits with a reason, and continues with the answer when it is approved', async () => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec());
    const asked = await waitForApproval(engine, run);
    expect(asked).toMatchObject({
      ...run,
      step: 'release',
      section: 'step',
      question: 'Release 1.4?',
      details: 'All tests passed',
      inputs: ['TICKET', 'REASON'],
      required: ['TICKET'],
    });
    expect(asked.decision).toBeUndefined();
    const waiting = releaseOf(await engine.get(run));
    expect(waiting.status).toBe('running');
    expect(waiting.waiting).toBe(
      `approval requested at ${asked.askedAt}; answer on the run page, or with engine approve asks release -r ${run.dagRunId} (or reject)`,
    );
    const given = await answer(engine, asked, { ...approved, comment: ' looks good ' });
    expect(given).toMatchObject({ decision: 'approved', answeredBy: 'ann', comment: 'looks good' });
    const view = await engine.end(run);
    expect(view).toMatchObject({ status: 'succeeded', outputs: { TOLD: 'true ann T-1 []' } });
    expect(releaseOf(view).waiting).toBeUndefined();
    expect(JSON.parse(stdoutOf(view, 'release'))).toEqual({
      approved: true,
      by: 'ann',
      comment: 'looks good',
      at: given.answeredAt,
      inputs: { TICKET: 'T-1', REASON: '' },
    });
    expect(stderrOf(view, 'release')).toBe('Release 1.4?\n\nAll tests passed\napproved by ann: looks good\n');
  });

  test('fails permanently when it is rejected, whatever its retry policy', async () => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec('retryPolicy: { limit: 3, intervalSec: 0 }'));
    await answer(engine, await waitForApproval(engine, run), rejected);
    const view = await engine.end(run);
    expect(statusesOf(view)).toEqual({ release: 'failed', tell: 'aborted' });
    expect(releaseOf(view)).toMatchObject({ error: 'rejected by ann: not on a Friday' });
    expect(releaseOf(view).attempts).toHaveLength(1);
  });

  test('lets the rest continue after a rejection when its failure is tolerated', async () => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec('continueOn: failed'));
    await answer(engine, await waitForApproval(engine, run), rejected);
    const view = await engine.end(run);
    expect(view).toMatchObject({ status: 'partially_succeeded', outputs: { TOLD: 'false ann  []' } });
  });

  test('fails when it times out, and the question ends', async () => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec('timeoutSec: 3600'));
    const asked = await waitForApproval(engine, run);
    engine.clock.advance(3_600_000);
    const view = await engine.end(run);
    expect(releaseOf(view)).toMatchObject({ status: 'failed', error: 'step timed out after 3600 s' });
    expect(releaseOf(view).approval!.endedAt).toBe(releaseOf(view).finishedAt);
    await expect(answer(engine, asked, approved)).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each([false, true])('ends with its run, forced: %s', async (force) => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec());
    const asked = await waitForApproval(engine, run);
    await engine.host.api.call('runs.stop', { ...run, force }, testCaller);
    const view = await engine.end(run);
    expect(view.status).toBe('aborted');
    expect(releaseOf(view)).toMatchObject({ status: 'aborted', approval: { id: asked.id } });
    await expect(answer(engine, asked, approved)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('asks again in a retry of its run', async () => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec());
    const first = await waitForApproval(engine, run);
    await answer(engine, first, rejected);
    await engine.end(run);
    await engine.host.api.call('runs.retry', run, testCaller);
    const second = await waitForApproval(engine, run, 2);
    expect(second.id).not.toBe(first.id);
    await answer(engine, second, approved);
    expect((await engine.end(run)).status).toBe('succeeded');
  });

  test('does not show secrets of the run', async () => {
    vi.stubEnv('APPROVAL_SECRET', 'hunter2-hunter2');
    const engine = new TestEngine();
    const secrets = 'secrets: [{ name: KEY, provider: env, key: APPROVAL_SECRET }]';
    const run = await engine.start(`${secrets}${approvalSpec().replace('All tests passed', 'by ${KEY}')}`);
    const asked = await waitForApproval(engine, run);
    expect(asked.details).toBe('by *******');
    await answer(engine, asked, approved);
    expect(stderrOf(await engine.end(run), 'release')).not.toContain('hunter2');
  });

  test('fails when its question cannot be resolved', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      'steps: [{ name: release, type: approval, config: { question: "${NOTHING:-}" } }]',
    );
    expect(releaseOf(view)).toMatchObject({ status: 'failed' });
    expect(releaseOf(view).error).toContain('config.question is empty');
    expect(releaseOf(view).approval).toBeUndefined();
  });

  test('can be a handler, or the step of a sub-run, and is reported to its root run', async () => {
    const engine = new TestEngine();
    const question = 'type: approval, config: { question: "Go?" }';
    const run = await engine.start(
      `name: outer\nsteps: [{ name: call, run: inner }]\nhandlerOn:\n  exit: { ${question} }\n---\nname: inner\nsteps: [{ name: release, ${question} }]\n`,
    );
    const open = async () =>
      (await engine.host.api.call('approvals.list', { decision: 'open' }, testCaller)).approvals;
    const call = await engine.untilRun(run, (view) => view.steps[0]!.subRuns.length > 0);
    const inner = await waitForApproval(engine, call.steps[0]!.subRuns[0]!);
    expect(inner).toMatchObject({ name: 'inner', root: run });
    await answer(engine, inner, { decision: 'approved' });
    await engine.untilRun(run, (view) => view.handlers[0]?.approval !== undefined);
    const [handler] = await open();
    expect(handler).toMatchObject({ ...run, step: 'onExit', section: 'handler' });
    await answer(engine, handler!, { decision: 'approved' });
    expect((await engine.end(run)).status).toBe('succeeded');
    expect(await open()).toEqual([]);
  });

  test('is reported in the events of its run', async () => {
    const engine = new TestEngine();
    const run = await engine.start(approvalSpec());
    const { id } = await waitForApproval(engine, run);
    await answer(engine, { id } as never, approved);
    await engine.end(run);
    const told = (await eventsOf(engine, run)).map(({ event }) => event);
    const types = told.map(({ type }) => type).filter((type) => type.startsWith('step.'));
    expect(types.slice(0, 4)).toEqual([
      'step.started',
      'step.approval_requested',
      'step.approval_resolved',
      'step.finished',
    ]);
    expect(told.find(({ type }) => type === 'step.approval_requested')).toMatchObject({
      id,
      question: 'Release 1.4?',
    });
  });
});
