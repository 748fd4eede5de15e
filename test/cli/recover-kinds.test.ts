import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FailPointName } from '../../core/base/fail-points.ts';
import {
  fileAppears,
  makeTestHome,
  readLines,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';
import { waitUntilPasses } from '../harness/resources.ts';

const start = ['start', 'work', '--quiet', '--default-working-dir', '.'];
const ran = ({ cwd }: TestHome): string[] => readLines(join(cwd, 'ran'));

/** Runs the workflow in an engine that is killed at a fault point, and recovers it. */
async function killAndRecover(yaml: string, point: FailPointName, times = 1) {
  const place = makeTestHome();
  saveDag(place, 'work', yaml);
  const killed = await runEngine(place, start, { ENGINE_FAILPOINT: `${point}@${times}:kill` });
  expect(killed.signal).toBe('SIGKILL');
  expect((await runEngine(place, ['recover', '--quiet'])).code).toBe(0);
  const { json } = await runForJson(place, ['status', 'work']);
  return { place, json };
}

describe('a step with retries', () => {
  const yaml = `
steps:
  - name: work
    command: echo x >> ran; test $(wc -l < ran) -ge 3
    retryPolicy: { limit: 2, intervalSec: 0.2 }
`;

  it.each<[FailPointName, number]>([
    ['attempt.before_retry_wait', 1],
    ['attempt.before_retry_wait', 2],
    ['attempt.retry_due', 1],
    ['attempt.announced', 2],
    ['attempt.before_spawn', 2],
    ['attempt.spawned', 3],
  ])('runs three times in total when killed at %s, time %i', async (point, times) => {
    const { place, json } = await killAndRecover(yaml, point, times);
    expect(json.status).toBe('succeeded');
    expect(ran(place)).toEqual(['x', 'x', 'x']);
  });
});

describe('a step with items', () => {
  const yaml = `
steps:
  - name: work
    command: echo "$ITEM" >> ran; echo "$ITEM"
    parallel: { items: [a, b, c, d, e], maxConcurrent: 2 }
    output: RESULT
`;

  it.each<[FailPointName, number]>([
    ['item.before_spawn', 1],
    ['item.before_spawn', 4],
    ['item.ended', 1],
    ['item.ended', 3],
    ['attempt.ended', 1],
    ['step.before_settle', 1],
    ['commit.after', 4],
  ])('runs each item once when killed at %s, time %i', async (point, times) => {
    const { place, json } = await killAndRecover(yaml, point, times);
    expect(json.status).toBe('succeeded');
    expect(ran(place).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(json.outputs['RESULT']).toMatchObject({
      summary: { total: 5, succeeded: 5, failed: 0 },
      outputs: ['a', 'b', 'c', 'd', 'e'],
    });
  });
});

describe('a step that runs another workflow', () => {
  const yaml = `
steps:
  - name: call
    run: child
    params: WHO=me
    output: RESULT
  - name: after
    command: echo after >> ran
---
name: child
params: [WHO: nobody]
steps:
  - name: one
    command: echo "one $WHO" >> ran
  - name: two
    command: echo two >> ran; echo said
    output: SAID
handlerOn: { exit: echo child exit >> ran }
`;

  it.each<[FailPointName, number]>([
    ['sub_run.created', 1],
    ['attempt.before_spawn', 1],
    ['attempt.before_spawn', 2],
    ['attempt.ended', 1],
    ['run.before_closing', 1],
    ['run.before_finish', 1],
    ['run.finished', 1],
    ['attempt.spawned', 2],
  ])('runs everything in one sub-run once when killed at %s, time %i', async (point, times) => {
    const { place, json } = await killAndRecover(yaml, point, times);
    expect(json).toMatchObject({ status: 'succeeded', outputs: { RESULT: { outputs: { SAID: 'said' } } } });
    expect(ran(place)).toEqual(['one me', 'two', 'child exit', 'after']);
    expect(json.steps[0].subRuns).toHaveLength(1);
  });
});

describe('a retried run', () => {
  it('continues after its engine was killed before resuming it', async () => {
    const place = makeTestHome();
    saveDag(place, 'work', `steps:\n  - echo a >> ran\n  - echo b >> ran; test -e ok\n  - echo c >> ran\n`);
    expect((await runEngine(place, start)).code).toBe(1);
    writeFileSync(join(place.cwd, 'ok'), '');
    const { signal } = await runEngine(place, ['retry', 'work'], { ENGINE_FAILPOINT: 'run.reopened:kill' });
    expect(signal).toBe('SIGKILL');
    expect((await runEngine(place, ['recover', '--quiet'])).code).toBe(0);
    expect((await runForJson(place, ['status', 'work'])).json.status).toBe('succeeded');
    expect(ran(place)).toEqual(['a', 'b', 'b', 'c']);
  });
});

describe('built-in steps', () => {
  it('are lost with the engine, and follow their retry policy', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'work',
      `steps:\n  - name: ask\n    type: jq\n    command: "while(true; .+1) | select(. < 0)"\n    script: "1"\n    continueOn: { failure: true }\n  - name: after\n    command: echo after >> ran\n`,
    );
    const run = startEngine(place, start);
    // The log is created as the step starts; a run killed before that starts the step in its next host.
    await waitUntilPasses(async () => {
      const { json } = await runForJson(place, ['status', 'work']);
      expect(json.steps[0].stdoutFile).toSatisfy(existsSync);
    });
    run.kill('SIGKILL');
    await run.ended;
    expect((await runEngine(place, ['recover', '--quiet'])).code).toBe(0);
    const { json } = await runForJson(place, ['status', 'work']);
    expect(json).toMatchObject({
      status: 'partially_succeeded',
      steps: [
        { status: 'failed', error: 'engine lost: steps of type "jq" run in the engine' },
        { status: 'succeeded' },
      ],
    });
  });
});

describe('a run that loses its host repeatedly', () => {
  it('finishes as expected, with each step run once', async () => {
    const place = makeTestHome();
    const steps = ['a', 'b', 'c', 'd'].map((name) => `  - { name: ${name}, command: echo ${name} >> ran }`);
    saveDag(place, 'work', `steps:\n${steps.join('\n')}\nhandlerOn: { exit: echo exit >> ran }\n`);
    await runEngine(place, start, { ENGINE_FAILPOINT: 'attempt.ended:kill' });
    for (const point of [
      'run.before_take_over',
      'run.recovered',
      'attempt.before_spawn',
      'attempt.spawned',
    ]) {
      const { signal } = await runEngine(place, ['recover'], { ENGINE_FAILPOINT: `${point}:kill` });
      expect(signal).toBe('SIGKILL');
    }
    expect((await runEngine(place, ['recover'])).code).toBe(0);
    const { json } = await runForJson(place, ['status', 'work']);
    expect(json).toMatchObject({ status: 'succeeded' });
    expect(json.recoveries!.length).toBeGreaterThanOrEqual(4);
    expect(ran(place)).toEqual(['a', 'b', 'c', 'd', 'exit']);
  });
});

describe('a run that several hosts try to recover', () => {
  it('is recovered by one of them', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'work',
      `steps:\n  - { name: a, command: touch begun; while [ ! -e go ]; do sleep 0.02; done; echo a >> ran }\n`
        .replace('command: ', 'command: "')
        .replace('>> ran }', '>> ran" }'),
    );
    const run = startEngine(place, start);
    await fileAppears(join(place.cwd, 'begun'));
    run.kill('SIGKILL');
    await run.ended;
    const hosts = Array.from({ length: 4 }, () => startEngine(place, ['recover']));
    await Promise.all([
      ...hosts.map(({ ended }) => ended),
      // One of them waits for the step; the others have nothing to do.
      Promise.any(hosts.map((host) => waitForText(host.stdout, /Recovered run/))).then(() =>
        writeFileSync(join(place.cwd, 'go'), ''),
      ),
    ]);
    const { json } = await runForJson(place, ['status', 'work']);
    expect(json).toMatchObject({ status: 'succeeded', recoveries: [{}] });
    expect(json.recoveries).toHaveLength(1);
    expect(ran(place)).toEqual(['a']);
  });
});
