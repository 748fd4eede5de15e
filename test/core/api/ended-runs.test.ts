import { describe, expect, test } from 'vitest';
import { EndedRuns } from '../../../core/api/ended-runs.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { isFinal } from '../../../core/model/status.ts';
import { TestEngine, testCaller } from '../../rig/test-engine.ts';

const spec = 'steps: [{name: one, command: "test -e go"}]';

/** An engine with a run that has failed. */
async function endRun(): Promise<{ engine: TestEngine; run: RunRef }> {
  const engine = new TestEngine();
  const { name, dagRunId } = await engine.run(spec, { name: 'checked' });
  return { engine, run: { name, dagRunId } };
}

describe('the picture of a run that has ended', () => {
  test('is made once', async () => {
    const { engine, run } = await endRun();
    const first = await engine.get(run);
    expect(first.status).toBe('failed');
    expect(await engine.get(run)).toBe(first);
  });

  test('is made anew when a step is given another status', async () => {
    const { engine, run } = await endRun();
    const first = await engine.get(run);
    const edit = { ...run, step: 'one', status: 'succeeded' } as const;
    await engine.host.api.call('runs.setStepStatus', edit, testCaller);
    const second = await engine.get(run);
    expect(second.steps[0]!.status).toBe('succeeded');
    expect(second.lastEventId).toBeGreaterThan(first.lastEventId);
  });

  test('is not shown of a run that goes on', async () => {
    const { engine, run } = await endRun();
    await engine.get(run);
    await engine.host.api.call('runs.retry', run, testCaller);
    const again = await engine.get(run);
    expect(again.status).not.toBe('failed');
    const ended = await engine.untilRun(run, ({ status }) => isFinal(status));
    expect(ended.steps[0]!.attempts).toHaveLength(2);
    expect(await engine.get(run)).toBe(ended);
  });

  test('goes with the run', async () => {
    const { engine, run } = await endRun();
    await engine.get(run);
    await engine.host.api.call('runs.delete', run, testCaller);
    await expect(engine.get(run)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('makes room for others, by its steps', () => {
    const runs = new EndedRuns();
    const view = (steps: number) =>
      ({ steps: Array.from({ length: steps }), handlers: [] }) as unknown as RunDetailView;
    const version = (key: number) => ({ key, status: 'succeeded', eventId: 1 }) as const;
    for (const key of [1, 2, 3]) runs.keep(version(key), view(3_000));
    expect(runs.find(version(1))).toBeDefined();
    runs.keep(version(4), view(3_000));
    expect([1, 2, 3, 4].map((key) => runs.find(version(key)) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    runs.keep(version(5), view(10_001));
    expect(runs.find(version(5))).toBeUndefined();
    expect(runs.find({ ...version(1), eventId: 2 })).toBeUndefined();
  });
});
