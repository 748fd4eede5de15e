import { expect, test } from 'vitest';
import { toCause } from '../../../../core/api/handlers/statistics-handlers.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

const day = 86_400_000;
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

test('runs.statistics counts outcomes per day, with days without runs', async () => {
  const engine = new TestEngine();
  const fromDate = dateOf(engine.clock.now());
  await engine.run('name: a\nsteps: ["false"]');
  engine.clock.advance(2 * day);
  await engine.run('name: a\nsteps: ["true"]');
  const toDate = dateOf(engine.clock.now());
  const { days, active, zone } = await engine.host.api.call(
    'runs.statistics',
    { fromDate, toDate, zone: 'UTC' },
    testCaller,
  );
  expect(zone).toBe('UTC');
  expect(active).toEqual({ notStarted: 0, queued: 0, running: 0 });
  const counts = days.map(({ succeeded, failed }) => [succeeded, failed]);
  expect(counts).toEqual([
    [0, 1],
    [0, 0],
    [1, 0],
  ]);
  expect(days.map(({ averageSeconds }) => averageSeconds !== undefined)).toEqual([true, false, true]);
});

test('runs.failures groups failures of several workflows by cause', async () => {
  const engine = new TestEngine();
  await engine.run('name: old\nsteps: ["exit 3"]');
  engine.clock.advance(8 * day);
  await engine.run('name: a\nsteps: ["exit 3"]');
  await engine.run('name: b\nsteps: [{ name: other, command: exit 4 }]');
  const { dagRunId } = await engine.run('name: c\nsteps: [{ name: other, command: exit 3 }]');
  const { failures, isComplete } = await engine.host.api.call('runs.failures', {}, testCaller);
  expect(isComplete).toBe(true);
  expect(failures.map(({ runs, workflows }) => [runs, workflows.map(({ name }) => name)])).toEqual([
    [2, ['c', 'a']],
    [1, ['b']],
  ]);
  expect(failures[0]!.latestRun).toEqual({ name: 'c', dagRunId });
  expect(failures[0]!.firstAt < failures[0]!.lastAt).toBe(true);
});

test('a cause leaves out the step, ids, times and long numbers of an error', () => {
  const error =
    'no answer from 0x7f3a at 2026-01-31T08:00:00.000Z for 3f2504e0-4f89-11d3-9a0c-0305e82c3301 (pid 123456)';
  expect(toCause(error)).toBe('no answer from … at … for … (pid …)');
  expect(toCause('step "load \\"all\\"" failed: exit code 3')).toBe('exit code 3');
  expect(toCause('exit code 127')).toBe('exit code 127');
});

test('runs.recent returns the newest runs of each workflow, also of one that rarely runs', async () => {
  const engine = new TestEngine();
  const rare = await engine.run('name: rare\nsteps: ["false"]');
  const ids: string[] = [];
  for (let count = 0; count < 12; count++)
    ids.unshift((await engine.run('name: often\nsteps: ["true"]')).dagRunId);
  const names = ['rare', 'often', 'never'];
  expect(await engine.host.api.call('runs.recent', { names }, testCaller)).toEqual({
    workflows: [
      { name: 'rare', runs: [{ dagRunId: rare.dagRunId, status: 'failed' }] },
      { name: 'often', runs: ids.slice(0, 10).map((dagRunId) => ({ dagRunId, status: 'succeeded' })) },
    ],
  });
});

test('runs.durations tells the median of successful runs', async () => {
  const engine = new TestEngine();
  await engine.run('name: a\nsteps: ["true"]');
  const { durations } = await engine.host.api.call('runs.durations', { names: ['a', 'b'] }, testCaller);
  expect(durations).toEqual([{ name: 'a', medianSeconds: expect.any(Number) as number }]);
});

test('runs.stepHistory tells the status of each step in the newest runs', async () => {
  const engine = new TestEngine();
  const text = (second: string) =>
    `name: a\nsteps:\n  - { name: one, command: "true" }\n  - { name: two, command: "${second}" }\n  - { name: three, command: "true" }`;
  const first = await engine.run(text('true'));
  engine.clock.advance(1000);
  const last = await engine.run(text('false'));
  const ask = (limit: number) => engine.host.api.call('runs.stepHistory', { name: 'a', limit }, testCaller);
  const { runs } = await ask(10);
  expect(runs.map(({ run }) => run.dagRunId)).toEqual([last.dagRunId, first.dagRunId]);
  const statuses = new Map(runs[0]!.steps.map(({ name, status }) => [name, status]));
  expect([statuses.get('one'), statuses.get('two'), statuses.get('three') ?? 'not_started']).toEqual([
    'succeeded',
    'failed',
    expect.stringMatching(/aborted|not_started|skipped/),
  ]);
  expect((await ask(1)).runs).toHaveLength(1);
});
