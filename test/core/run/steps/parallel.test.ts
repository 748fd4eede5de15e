import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { TestEngine, testCaller, type RunView, stdoutOf } from '../../../harness/engine.ts';
import { eventsOf } from '../run-harness.ts';

const itemEvents = async (engine: TestEngine, view: RunView) =>
  (await eventsOf(engine, view)).flatMap(({ event }) =>
    event.type === 'step.item_started' || event.type === 'step.item_finished' ? [event] : [],
  );

describe('parallel commands', () => {
  test('run once for each item, each with its log', async () => {
    const engine = new TestEngine();
    const view = await engine.run(`
steps:
  - name: greet
    command: echo "hello $ITEM"
    parallel: [anna, "b c", 3]
    output: R
  - echo "\${R.outputs[1]} \${R.summary.total}"`);
    expect(view.status).toBe('succeeded');
    expect(view.outputs['R']).toEqual({
      summary: { total: 3, succeeded: 3, failed: 0 },
      results: [
        { item: 'anna', status: 'succeeded', exitCode: 0, output: 'hello anna' },
        { item: 'b c', status: 'succeeded', exitCode: 0, output: 'hello b c' },
        { item: '3', status: 'succeeded', exitCode: 0, output: 'hello 3' },
      ],
      outputs: ['hello anna', 'hello b c', 'hello 3'],
    });
    const [greet, next] = view.steps;
    expect(JSON.parse(stdoutOf(view, 'greet'))).toEqual(view.outputs['R']);
    expect(stdoutOf(view, next!.name)).toBe('hello b c 3\n');
    const folder = path.dirname(greet!.attempts[0]!.stdoutFile);
    expect(readFileSync(path.join(folder, 'item-2/stdout.log'), 'utf8')).toBe('hello b c\n');
  });

  test('see the keys of an item, and never run its text', async () => {
    const folder = makeTemporaryFolder();
    const view = await new TestEngine().run(
      `
steps:
  - name: show
    command: echo "\${ITEM.name}=$ITEM" "\${ITEM.n}"
    parallel:
      - { name: "$(touch made)", n: 1 }
      - { name: "'; touch made; '", n: 2 }
    output: R`,
      { defaultWorkingDir: folder },
    );
    expect(view.outputs['R']).toMatchObject({
      outputs: [
        '$(touch made)={"name":"$(touch made)","n":"1"} 1',
        `'; touch made; '={"name":"'; touch made; '","n":"2"} 2`,
      ],
    });
    expect(existsSync(path.join(folder, 'made'))).toBe(false);
  });

  test('read their items from an expression, at the start of the step', async () => {
    const view = await new TestEngine().run(`
steps:
  - { command: "echo '[1, 2, {\\"k\\": \\"v\\"}]'", output: LIST }
  - { command: 'echo "<$ITEM>"', parallel: "$LIST", output: R }`);
    expect(view.outputs['R']).toMatchObject({ outputs: ['<1>', '<2>', '<{"k":"v"}>'] });
  });

  test('all run when one fails, and a retry runs only failed ones', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const view = await engine.run(
      `
steps:
  - name: work
    command: echo "$ITEM" >> done; [ "$ITEM" != b ] || [ -e second ] || { touch second; exit 7; }
    parallel: { items: [a, b, c], maxConcurrent: 1 }
    retryPolicy: { limit: 1, intervalSec: 0 }
    output: R`,
      { defaultWorkingDir: folder },
    );
    expect(view.status).toBe('succeeded');
    expect(view.steps[0]!.attempts).toMatchObject([
      { exitCode: 7, error: expect.stringMatching(/^1 of 3 items failed; item 2 \(b\): exit code 7/) },
      {},
    ]);
    expect(readFileSync(path.join(folder, 'done'), 'utf8')).toBe('a\nb\nc\nb\n');
    expect(view.outputs['R']).toMatchObject({ summary: { total: 3, succeeded: 3, failed: 0 } });
    const starts = (await itemEvents(engine, view)).filter(({ type }) => type === 'step.item_started');
    expect(starts.map(({ attempt, item }) => [attempt, item])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 2],
    ]);
  });

  test('never exceed the limit', async () => {
    const engine = new TestEngine();
    const view = await engine.run(`
steps:
  - { command: "true", parallel: { items: "${Array.from({ length: 30 }, (_, index) => index).join(' ')}", maxConcurrent: 3 } }`);
    let [running, max] = [0, 0];
    for (const { type } of await itemEvents(engine, view)) {
      running += type === 'step.item_started' ? 1 : -1;
      max = Math.max(max, running);
    }
    expect([running, max]).toEqual([0, 3]);
  });

  test('end with a stop: running ones are aborted, the others never start', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps:
  - { name: wait, command: sleep 100, parallel: { items: [a, b, c], maxConcurrent: 2 } }
handlerOn: { abort: "true" }`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.items?.running === 2);
    await engine.host.api.call('runs.stop', run, testCaller);
    const view = await engine.end(run);
    expect(view).toMatchObject({ status: 'aborted', steps: [{ status: 'aborted' }] });
    expect((await itemEvents(engine, view)).map(({ type, item }) => [type, item])).toEqual([
      ['step.item_started', 1],
      ['step.item_started', 2],
      ['step.item_finished', expect.any(Number)],
      ['step.item_finished', expect.any(Number)],
    ]);
  });

  test.each([
    ['"${NONE}"', /parallel has no items/],
    ['"`seq 1 1001`"', /too many items: 1,001/],
  ])('from %s fail with a reason', async (items, reason) => {
    const view = await new TestEngine().run(`
steps: [{ name: a, command: "true", parallel: ${items} }]`);
    expect(view).toMatchObject({ status: 'failed' });
    expect(view.steps[0]!.error).toMatch(reason);
  });
});

const child = `
---
name: child
params: { X: none }
steps:
  - { command: '[ "$X" != bad ] && echo "got $X"', output: GOT }`;

describe('parallel sub-workflows', () => {
  test('get the item in their parameters; the result has their outputs', async () => {
    const view = await new TestEngine().run(`
steps:
  - { name: many, run: child, params: "X=\${ITEM}", parallel: [a, "b c"], output: R }
  - echo "\${R.outputs[1].GOT}"
${child}`);
    expect(view.outputs['R']).toMatchObject({
      summary: { total: 2, succeeded: 2, failed: 0 },
      results: [
        { name: 'child', status: 'succeeded', params: 'X=a', outputs: { GOT: 'got a' } },
        { name: 'child', status: 'succeeded', params: 'X=b c', outputs: { GOT: 'got b c' } },
      ],
      outputs: [{ GOT: 'got a' }, { GOT: 'got b c' }],
    });
    expect(stdoutOf(view, view.steps[1]!.name)).toBe('got b c\n');
    expect(view.steps[0]!.subRuns).toHaveLength(2);
  });

  test('with the same parameters are one run', async () => {
    const view = await new TestEngine().run(`
steps:
  - { name: many, run: child, params: "X=\${ITEM}", parallel: [a, b, a, b, c], output: R }
${child}`);
    expect(view.outputs['R']).toMatchObject({ summary: { total: 3 } });
    expect(view.steps[0]!.subRuns).toHaveLength(3);
  });

  test('use an item with keys as their parameters', async () => {
    const view = await new TestEngine().run(`
steps:
  - { name: many, run: child, parallel: [{ X: one }, "X=two"], output: R }
${child}`);
    expect(view.outputs['R']).toMatchObject({ outputs: [{ GOT: 'got one' }, { GOT: 'got two' }] });
  });

  test('fail the step when one fails; outputs are those of the others', async () => {
    const view = await new TestEngine().run(`
steps:
  - { name: many, run: child, params: "X=\${ITEM}", parallel: [a, bad], output: R, continueOn: failed }
${child}`);
    expect(view.steps[0]).toMatchObject({ status: 'failed' });
    expect(view.steps[0]!.error).toMatch(/^1 of 2 items failed; item 2 \(bad\): run .* of child failed/);
    expect(view.outputs['R']).toMatchObject({
      summary: { total: 2, succeeded: 1, failed: 1 },
      outputs: [{ GOT: 'got a' }],
    });
  });
});

describe('retried run', () => {
  const work = (kind: string): string => `
steps:
  - { name: many, ${kind}, parallel: [a, b, c], output: R }
  - echo "\${R.summary.succeeded}"`;

  test.each([
    ['commands', work(`command: 'echo $ITEM >> done; [ $ITEM != b ] || [ -e mended ]'`)],
    [
      'sub-workflows',
      `${work('run: child, params: "X=${ITEM}"')}
---
name: child
params: { X: none }
steps: ['echo $X >> done; [ $X != b ] || [ -e mended ]', { command: echo got $X, output: GOT }]`,
    ],
  ])('runs only the %s that have not succeeded', async (_, spec) => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const failed = await engine.run(spec, { defaultWorkingDir: folder });
    expect(failed.status).toBe('failed');
    writeFileSync(path.join(folder, 'mended'), '');
    await engine.host.api.call('runs.retry', { name: failed.name, dagRunId: failed.dagRunId }, testCaller);
    const view = await engine.end(failed);
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, view.steps[1]!.name)).toBe('3\n');
    expect(readFileSync(path.join(folder, 'done'), 'utf8').split('\n').toSorted()).toEqual([
      '',
      'a',
      'b',
      'b',
      'c',
    ]);
    expect(view.outputs['R']).toMatchObject({ summary: { total: 3, succeeded: 3, failed: 0 } });
  });

  test('does not repeat a succeeded item whose output exceeded the limit', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const failed = await engine.run(
      `
maxOutputSize: 10
steps:
  - name: many
    command: 'echo "$ITEM and more than ten bytes"; echo $ITEM >> done; [ $ITEM != b ] || [ -e mended ]'
    parallel: [a, b, c]`,
      { defaultWorkingDir: folder },
    );
    expect(failed.status).toBe('failed');
    writeFileSync(path.join(folder, 'mended'), '');
    await engine.host.api.call('runs.retry', { name: failed.name, dagRunId: failed.dagRunId }, testCaller);
    expect((await engine.end(failed)).status).toBe('succeeded');
    const done = readFileSync(path.join(folder, 'done'), 'utf8').trim().split('\n');
    expect(done.toSorted()).toEqual(['a', 'b', 'b', 'c']);
  });

  test('repeats all of them when the step is selected by name', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const first = await engine.run(work(`command: 'echo $ITEM >> done'`), { defaultWorkingDir: folder });
    const { name, dagRunId } = first;
    await engine.host.api.call('runs.retry', { name, dagRunId, stepName: 'many' }, testCaller);
    await engine.end(first);
    expect(readFileSync(path.join(folder, 'done'), 'utf8').split('\n')).toHaveLength(7);
  });
});
