import { expect, it } from 'vitest';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import type { ItemStatus } from '../../../../core/model/run.ts';
import { describeOnStores } from '../../../harness/databases.ts';
import { createOwnedRun, openTestStore, owner } from '../store-harness.ts';

const node = { section: 'step', name: 'resize' } as const;
const itemStarted = (item: number, attempt = 1): RunEvent => ({
  type: 'step.item_started',
  node,
  attempt,
  item,
  total: 3,
  value: `file-${item}`,
  dir: `resize/${attempt}/item-${item}`,
});
const itemFinished = (item: number, status: Exclude<ItemStatus, 'running'>, attempt = 1): RunEvent => ({
  type: 'step.item_finished',
  node,
  attempt,
  item,
  status,
  exitCode: status === 'succeeded' ? 0 : 3,
});
const retry: RunEvent = { type: 'step.retry_scheduled', node, attempt: 1, dueAt: 0, error: '2 items failed' };

/** A run in which the step has started. */
async function openStep() {
  const store = openTestStore();
  const owned = await createOwnedRun(store);
  await owned.write([
    { type: 'run.started', logDir: 'logs' },
    { type: 'step.started', node, attempt: 1, dir: 'resize/1' },
  ]);
  const list = (attempt = 1) => store.listItems(owned.run, { node, attempt, limit: 1000 });
  const summary = async () => (await store.getDetail(owned.run))!.steps[0]!.items;
  return { store, ...owned, list, summary };
}

describeOnStores('items of an attempt', () => {
  it('are stored with their results', async () => {
    const { write, list } = await openStep();
    await write([itemStarted(2), itemStarted(1)], 100);
    await write([{ type: 'step.sub_run', node, name: 'child', dagRunId: 'c1', item: 1 }], 150);
    await write([{ ...itemFinished(2, 'failed'), signal: 'SIGTERM', error: 'killed' } as RunEvent], 200);
    expect(await list()).toEqual([
      {
        item: 1,
        value: 'file-1',
        dir: 'resize/1/item-1',
        status: 'running',
        startedAt: 101,
        subRun: { name: 'child', dagRunId: 'c1' },
      },
      {
        item: 2,
        value: 'file-2',
        dir: 'resize/1/item-2',
        status: 'failed',
        startedAt: 100,
        finishedAt: 200,
        exitCode: 3,
        signal: 'SIGTERM',
        error: 'killed',
      },
    ]);
  });

  it('can share one run', async () => {
    const { store, run, write, list } = await openStep();
    const sub: RunEvent = { type: 'step.sub_run', node, name: 'child', dagRunId: 'c1' };
    await write([itemStarted(1), itemStarted(2), { ...sub, item: 1 }, { ...sub, item: 2 }]);
    expect((await list()).map(({ subRun }) => subRun?.dagRunId)).toEqual(['c1', 'c1']);
    expect((await store.getDetail(run))!.steps[0]!.subRuns).toEqual([{ name: 'child', dagRunId: 'c1' }]);
  });

  it('are paginated and filtered by status', async () => {
    const { store, run, write } = await openStep();
    await write(Array.from({ length: 6 }, (_, index) => itemStarted(index + 1)));
    await write([itemFinished(2, 'failed'), itemFinished(4, 'failed'), itemFinished(5, 'aborted')]);
    const numbers = async (more: { after?: number; limit: number; statuses?: ItemStatus[] }) =>
      (await store.listItems(run, { node, attempt: 1, ...more })).map(({ item }) => item);
    expect(await numbers({ limit: 2 })).toEqual([1, 2]);
    expect(await numbers({ after: 2, limit: 3 })).toEqual([3, 4, 5]);
    expect(await numbers({ statuses: ['failed', 'aborted'], limit: 2 })).toEqual([2, 4]);
    expect(await numbers({ statuses: ['failed', 'aborted'], after: 4, limit: 2 })).toEqual([5]);
    expect(await store.listItems({ name: 'etl', dagRunId: 'none' }, { node, attempt: 1, limit: 1 })).toEqual(
      [],
    );
  });

  it('are counted for the newest attempt, with those that it reuses', async () => {
    const { write, list, summary } = await openStep();
    expect(await summary()).toBeUndefined();
    await write([itemStarted(1), itemStarted(2), itemStarted(3)]);
    await write([
      itemFinished(1, 'partially_succeeded'),
      itemFinished(2, 'failed'),
      itemFinished(3, 'aborted'),
    ]);
    expect(await summary()).toEqual({ total: 3, started: 3, running: 0, succeeded: 1, failed: 2 });
    await write([retry, { type: 'step.started', node, attempt: 2, dir: 'resize/2' }]);
    expect(await summary()).toBeUndefined();
    await write([itemStarted(2, 2)]);
    expect(await summary()).toEqual({ total: 3, started: 1, running: 1, succeeded: 0, failed: 0 });
    expect(await list(1)).toHaveLength(3);
    await write([
      { ...retry, attempt: 2 },
      { type: 'step.started', node, attempt: 3, dir: 'resize/3' },
    ]);
    const again = { ...itemStarted(2, 3), total: 2, reused: 1 } as RunEvent;
    await write([again, itemFinished(2, 'succeeded', 3)]);
    expect(await summary()).toEqual({ total: 3, started: 2, running: 0, succeeded: 2, failed: 0 });
  });

  it.each([
    ['settled', { type: 'step.ended', node, status: 'failed', reason: 'the host was lost' }],
    ['finished', { type: 'step.finished', node, attempt: 1, status: 'aborted', error: 'the host was lost' }],
    ['retried', { ...retry, error: 'the host was lost' }],
    ['repeated', { type: 'step.repeat_scheduled', node, attempt: 1, dueAt: 0, error: 'the host was lost' }],
  ] as [string, RunEvent][])('end with it when the step is %s', async (_, end) => {
    const { write, list, summary } = await openStep();
    await write([itemStarted(1), itemStarted(2), itemFinished(1, 'succeeded')], 100);
    await write([end], 300);
    expect(await list()).toMatchObject([
      { item: 1, status: 'succeeded', finishedAt: 102, exitCode: 0 },
      { item: 2, status: 'aborted', finishedAt: 300, error: 'the host was lost' },
    ]);
    expect(await summary()).toMatchObject({ running: 0, succeeded: 1, failed: 1 });
  });

  it('end when a run that ended without them is retried, and do not belong to the new attempt', async () => {
    const { store, run, write, list, summary } = await openStep();
    await write([itemStarted(1), { type: 'run.finished', status: 'failed', outputs: {} }]);
    const { epoch } = (await store.findRun(run))!;
    const options = { runKey: run.key, epoch, owner, by: 'anna', steps: [node.name], maxActiveRuns: -1 };
    await store.reopenRun(options, 400);
    expect(await list()).toMatchObject([
      { status: 'aborted', finishedAt: 400, error: 'the end was not recorded' },
    ]);
    expect(await summary()).toBeUndefined();
  });

  it.each([
    ['a duplicate item', [itemStarted(1)], itemStarted(1)],
    ['the end of an item that has not started', [], itemFinished(1, 'succeeded')],
    [
      'the end of an item that has ended',
      [itemStarted(1), itemFinished(1, 'failed')],
      itemFinished(1, 'failed'),
    ],
    ['an item of another attempt', [], itemStarted(1, 2)],
    ['an item of an attempt that has ended', [retry], itemStarted(1)],
    [
      'a run for an item that has not started',
      [],
      { type: 'step.sub_run', node, name: 'c', dagRunId: '1', item: 1 },
    ],
  ] as [string, RunEvent[], RunEvent][])('reject %s', async (_, path, event) => {
    const { write, list } = await openStep();
    expect((await write([...path])).outcome).toBe('written');
    const before = await list();
    expect((await write([event])).outcome).toBe('illegal');
    expect(await list()).toEqual(before);
  });
});
