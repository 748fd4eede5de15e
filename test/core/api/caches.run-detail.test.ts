import { describe, expect, test } from 'vitest';
import { RunDetailCache } from '../../../core/api/caches.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { type RunRef, isFinal } from '../../../core/model/run.ts';
import { TestEngine, testCaller } from '../../harness/engine.ts';

const spec = 'steps: [{name: one, command: "test -e go"}]';

/** An engine with a failed run. */
async function endRun(): Promise<{ engine: TestEngine; run: RunRef }> {
  const engine = new TestEngine();
  const { name, dagRunId } = await engine.run(spec, { name: 'checked' });
  return { engine, run: { name, dagRunId } };
}

describe('run details', () => {
  test('are computed once', async () => {
    const { engine, run } = await endRun();
    const first = await engine.get(run);
    expect(first.status).toBe('failed');
    expect(await engine.get(run)).toBe(first);
  });

  test('are recomputed when a step changes status', async () => {
    const { engine, run } = await endRun();
    const first = await engine.get(run);
    const edit = { ...run, step: 'one', status: 'succeeded' } as const;
    await engine.host.api.call('runs.setStepStatus', edit, testCaller);
    const second = await engine.get(run);
    expect(second.steps[0]!.status).toBe('succeeded');
    expect(second.lastEventId).toBeGreaterThan(first.lastEventId);
  });

  test('contain the note, which can be deleted', async () => {
    const { engine, run } = await endRun();
    expect((await engine.get(run)).note).toBeUndefined();
    const { api } = engine.host;
    const edit = { name: run.name, dagRunId: 'latest', text: 'Bad **input**' };
    const { note, dagRunId } = await api.call('runs.setNote', edit, testCaller);
    expect({ dagRunId, note }).toMatchObject({ dagRunId: run.dagRunId, note: { text: 'Bad **input**' } });
    expect((await engine.get(run)).note).toEqual(note);
    const list = await api.call('runs.list', { hasNote: true }, testCaller);
    expect(list.dagRuns).toMatchObject([{ dagRunId: run.dagRunId, noteExcerpt: 'Bad **input**' }]);
    const tooLong = { ...edit, text: 'x'.repeat(10_001) };
    await expect(api.call('runs.setNote', tooLong, testCaller)).rejects.toMatchObject({
      code: 'bad_request',
    });
    await api.call('runs.setNote', { ...edit, text: ' \n' }, testCaller);
    expect((await engine.get(run)).note).toBeUndefined();
  });

  test('show the reason of a step again when its own status is restored', async () => {
    const { engine, run } = await endRun();
    const [before] = (await engine.get(run)).steps;
    const mark = async (status: 'not_started' | 'succeeded' | 'failed' | 'skipped') => {
      await engine.host.api.call('runs.setStepStatus', { ...run, step: 'one', status }, testCaller);
      return (await engine.get(run)).steps[0]!;
    };
    expect(before).toMatchObject({ status: 'failed', exitCode: 1, attempts: [{ attempt: 1 }] });
    expect((await mark('not_started')).exitCode).toBeUndefined();
    expect(await mark('failed')).toEqual(before);
    expect((await mark('succeeded')).error).toBeUndefined();
    expect(await mark('failed')).toEqual(before);
    await mark('skipped');
    // Once it has started again, its earlier end no longer applies.
    await engine.host.api.call('runs.retry', { ...run, stepName: 'one' }, testCaller);
    await engine.untilRun(run, ({ status }) => isFinal(status));
    const again = (await engine.get(run)).steps[0]!;
    expect(again.attempts).toHaveLength(2);
    await mark('not_started');
    expect(await mark('failed')).toEqual(again);
  });

  test('are not cached for an active run', async () => {
    const { engine, run } = await endRun();
    await engine.get(run);
    await engine.host.api.call('runs.retry', run, testCaller);
    const again = await engine.get(run);
    expect(again.status).not.toBe('failed');
    const ended = await engine.untilRun(run, ({ status }) => isFinal(status));
    expect(ended.steps[0]!.attempts).toHaveLength(2);
    expect(await engine.get(run)).toBe(ended);
  });

  test('are dropped with the run', async () => {
    const { engine, run } = await endRun();
    await engine.get(run);
    await engine.host.api.call('runs.delete', run, testCaller);
    await expect(engine.get(run)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of an active run stay cached while nothing happens, even without host heartbeats', async () => {
    const engine = new TestEngine();
    const run = await engine.start('steps: [{name: one, command: "exec sleep 300"}]');
    const first = await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
    expect(await engine.get(run)).toBe(first);
    engine.clock.advance(60_000);
    expect((await engine.get(run)).host!.lastSeenAt).not.toBe(first.host!.lastSeenAt);
    await engine.host.api.call('runs.stop', run, testCaller);
    expect(await engine.get(run)).toMatchObject({ stopRequestedBy: testCaller.name });
  });

  test('are evicted by number of steps', () => {
    const pictures = new RunDetailCache();
    const view = (steps: number) =>
      ({ steps: Array.from({ length: steps }), handlers: [] }) as unknown as RunDetailView;
    for (const key of [1, 2, 3]) pictures.set(key, 'a', view(3_000));
    expect(pictures.find(1, 'a')).toBeDefined();
    pictures.set(4, 'a', view(3_000));
    expect([1, 2, 3, 4].map((key) => pictures.find(key, 'a') !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    pictures.set(5, 'a', view(10_001));
    expect(pictures.find(5, 'a')).toBeUndefined();
    expect(pictures.find(1, 'b')).toBeUndefined();
  });
});
