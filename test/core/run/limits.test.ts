import { describe, expect, test } from 'vitest';
import { TestEngine, testCaller } from '../../harness/engine.ts';
import { eventsOf } from './run-harness.ts';

describe('limits of a run', () => {
  test.each([
    { written: 'maxActiveSteps: 2', max: 2 },
    { written: 'description: no limit', max: 6 },
  ])('$written allows at most $most of 6 ready steps at once', async ({ written, max }) => {
    const engine = new TestEngine();
    const steps = Array.from({ length: 6 }, (_, index) => `  - { name: s${index}, command: sleep 0.05 }`);
    const view = await engine.run(`type: graph\n${written}\nsteps:\n${steps.join('\n')}`);
    let active = 0;
    let highest = 0;
    for (const { event } of await eventsOf(engine, view)) {
      if (event.type === 'step.started') active += 1;
      if (event.type === 'step.finished') active -= 1;
      highest = Math.max(highest, active);
    }
    expect({ status: view.status, highest }).toEqual({ status: 'succeeded', highest: max });
  });

  test('maxActiveRuns rejects one more run until one has ended', async () => {
    const engine = new TestEngine();
    const spec = 'name: busy\nmaxActiveRuns: 2\nsteps: [{ name: a, command: sleep 1000 }]';
    const runs = [await engine.start(spec), await engine.start(spec)];
    await expect(engine.start(spec)).rejects.toMatchObject({
      code: 'max_run_reached',
      details: { active: 2, maxActiveRuns: 2 },
    });
    for (const run of runs) {
      await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
      await engine.host.api.call('runs.stop', run, testCaller);
      await engine.end(run);
    }
    await engine.run('name: busy\nmaxActiveRuns: 2\nsteps: ["true"]');
    const { dagRuns } = await engine.host.api.call('runs.list', { name: 'busy' }, testCaller);
    expect(dagRuns).toHaveLength(3);
  });
});

describe('run id', () => {
  test('can be chosen by the caller, once for each name', async () => {
    const engine = new TestEngine();
    const spec = 'name: a\nsteps: ["true"]';
    expect(await engine.run(spec, { dagRunId: 'my-run_1' })).toMatchObject({ dagRunId: 'my-run_1' });
    await expect(engine.start(spec, { dagRunId: 'my-run_1' })).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await engine.run(spec, { dagRunId: 'my-run_1', name: 'b' })).toMatchObject({
      name: 'b',
      status: 'succeeded',
    });
  });

  test.each([
    { request: { dagRunId: '../up' }, message: /Invalid run ID "/ },
    { request: { dagRunId: 'x'.repeat(65) }, message: /Invalid run ID "/ },
    { request: { dagRunId: 'latest' }, message: /"latest" is reserved for the latest run/ },
    { request: { name: 'a b' }, message: /Invalid workflow name "/ },
    { request: { name: 'x'.repeat(41) }, message: /Invalid workflow name "/ },
  ])('is rejected as $request', async ({ request, message }) => {
    const engine = new TestEngine();
    await expect(engine.start('steps: ["true"]', request)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
    expect((await engine.host.api.call('runs.list', {}, testCaller)).dagRuns).toEqual([]);
  });

  test('by default is unique and sorts by time', async () => {
    const engine = new TestEngine();
    const spec = 'maxActiveRuns: -1\nsteps: ["true"]';
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push((await engine.start(spec)).dagRunId);
      engine.clock.advance(1);
    }
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
  });
});
