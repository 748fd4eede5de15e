import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogExtent } from '../../../../core/contract/logs.ts';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';

const node = { section: 'step', name: 'resize' } as const;
const run = { name: 'photos', dagRunId: 'r1' };
const owner = { host: 'elsewhere', pid: 1, pidStart: '1', bootId: 'b' };
const itemStarted = (item: number): RunEvent => ({
  type: 'step.item_started',
  node,
  attempt: 1,
  item,
  total: 4,
  value: `file-${item}`,
  dir: `resize/1/item-${item}`,
});

/** An engine, and a run that the test drives as another host of the same home. */
async function openWatched() {
  const engine = new TestEngine();
  const store = openStore({ file: path.join(engine.home, 'data', 'engine.db') });
  const spec = {
    text: 'name: photos\nsteps: [{ name: resize, command: echo }]',
    document: 0,
  };
  const { key } = await store.createRun(
    { ...run, spec, trigger: 'cli', params: [], maxActiveRuns: -1, owner },
    1_000,
  );
  const write = async (...events: RunEvent[]): Promise<void> => {
    const [outcome] = (
      await store.append([
        { runKey: key, epoch: 1, events: events.map((event, index) => ({ at: 2_000 + index, event })) },
      ])
    ).outcomes;
    expect(outcome).toEqual({ outcome: 'written' });
  };
  const logDir = path.join(engine.home, 'logs', 'r1');
  const dirOf = (item: number): string => path.join(logDir, `resize/1/item-${item}`);
  await write(
    { type: 'run.started', logDir: 'logs/r1' },
    { type: 'step.started', node, attempt: 1, dir: 'resize/1' },
    ...[1, 2, 3].map(itemStarted),
    { type: 'step.sub_run', node, name: 'child', dagRunId: 'c3', item: 3 },
    {
      type: 'step.item_finished',
      node,
      attempt: 1,
      item: 2,
      status: 'failed',
      exitCode: 3,
      error: 'no such file',
    },
  );
  for (const item of [1, 2]) {
    mkdirSync(dirOf(item), { recursive: true });
    writeFileSync(path.join(dirOf(item), 'stdout.log'), `item ${item}\n`);
  }
  const list = (more: Partial<OperationInput<'runs.items'>> = {}) =>
    engine.host.api.call('runs.items', { ...run, step: 'resize', ...more }, testCaller);
  const lines = (item: number) =>
    engine.host.api.call('logs.lines', { ...run, step: 'resize', item }, testCaller);
  return { engine, store, write, list, lines, dirOf };
}

describe('items of a step', () => {
  test('are listed in order, with the logs and the run of each', async () => {
    const { store, list, dirOf } = await openWatched();
    const { attempt, items, nextCursor } = await list();
    expect({ attempt, nextCursor }).toEqual({ attempt: 1, nextCursor: undefined });
    expect(items.map(({ item, status }) => [item, status])).toEqual([
      [1, 'running'],
      [2, 'failed'],
      [3, 'running'],
    ]);
    expect(items[1]).toEqual({
      item: 2,
      value: 'file-2',
      status: 'failed',
      startedAt: '1970-01-01T00:00:02.003Z',
      finishedAt: '1970-01-01T00:00:02.006Z',
      exitCode: 3,
      error: 'no such file',
      stdoutFile: path.join(dirOf(2), 'stdout.log'),
      stderrFile: path.join(dirOf(2), 'stderr.log'),
    });
    expect(items[2]!.subRun).toEqual({ name: 'child', dagRunId: 'c3' });
    store.close();
  });

  test('are paginated and filtered by status', async () => {
    const { store, list } = await openWatched();
    const first = await list({ limit: 2 });
    expect(first).toMatchObject({ items: [{ item: 1 }, { item: 2 }], nextCursor: '2' });
    expect((await list({ cursor: '2' })).items.map(({ item }) => item)).toEqual([3]);
    expect((await list({ status: ['failed'] })).items.map(({ item }) => item)).toEqual([2]);
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'bad_request' });
    store.close();
  });

  test('are counted in the run details', async () => {
    const { engine, store, list } = await openWatched();
    const view = await engine.get(run);
    expect(view.steps[0]!.items).toEqual({ total: 4, started: 3, running: 2, succeeded: 0, failed: 1 });
    await expect(list({ attempt: 2 })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Step "resize" of run r1 has no attempt 2.',
    });
    store.close();
  });

  test('have their own logs, which end with the item', async () => {
    const { engine, store, write, lines } = await openWatched();
    expect(await lines(1)).toMatchObject({ lines: ['item 1'], complete: false });
    expect(await lines(2)).toMatchObject({ lines: ['item 2'], complete: true });
    await expect(lines(4)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Step "resize" of run r1 has not started item 4 in attempt 1.',
    });
    const told = { extents: [] as LogExtent[], ended: false };
    engine.host.api.follow(
      'logs.follow',
      { ...run, step: 'resize', item: 1 },
      { item: (extent) => told.extents.push(extent), end: () => (told.ended = true) },
      testCaller,
    );
    const moved = (): boolean => {
      engine.clock.advance(10);
      return true;
    };
    await until(() => moved() && told.extents.length > 0);
    // The end of another item does not end this one.
    await write({ type: 'step.item_finished', node, attempt: 1, item: 3, status: 'succeeded' });
    await write({ type: 'step.item_finished', node, attempt: 1, item: 1, status: 'succeeded', exitCode: 0 });
    await until(() => moved() && told.ended);
    expect(told.extents.at(-1)).toEqual({ size: 7, totalLines: 1, complete: true });
    store.close();
  });
});
