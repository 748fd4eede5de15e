import { oneByOne } from '../../../harness/resources.ts';
import { expect, it } from 'vitest';
import type { RunStatus } from '../../../../core/model/run.ts';
import type { NewRun, RunStore } from '../../../../core/store/types/runs.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore } from '../store-harness.ts';

interface Facts extends Partial<NewRun> {
  readonly finishedAt?: number;
  readonly status?: RunStatus;
}

/** A run with a step; it is still running without `finishedAt`. */
async function addRun(store: RunStore, { finishedAt, status = 'succeeded', ...overrides }: Facts) {
  const { run, write } = await createOwnedRun(store, overrides);
  const node = { section: 'step', name: 'a' } as const;
  await write([
    { type: 'run.started', logDir: `logs/${run.dagRunId}` },
    { type: 'step.started', node, attempt: 1, dir: 'a.1' },
    { type: 'step.finished', node, attempt: 1, status: 'succeeded' },
  ]);
  if (finishedAt !== undefined) await write([{ type: 'run.finished', status, outputs: {} }], finishedAt);
  return run;
}

const idsOf = (runs: readonly { dagRunId: string }[]): string[] =>
  runs.map(({ dagRunId }) => dagRunId).toSorted();

describeOnStores('purgeRuns', () => {
  it('deletes runs that ended before the time, in any final status, and returns their log locations', async () => {
    const store = openTestStore();
    const finals = ['succeeded', 'partially_succeeded', 'failed', 'aborted'] as const;
    const old = await oneByOne(finals, (status) => addRun(store, { finishedAt: 4999, status }));
    const kept = [
      await addRun(store, { finishedAt: 5000 }),
      await addRun(store, {}),
      await store.createRun(describeRun(), 1),
      await addRun(store, { name: 'other', finishedAt: 4999 }),
    ];
    expect(await store.purgeRuns('etl', { before: 5000 })).toEqual(
      old.map(({ name, dagRunId }) => ({ name, dagRunId, logDir: `logs/${dagRunId}` })),
    );
    expect(idsOf(await store.listRuns({ limit: 100 }))).toEqual(idsOf(kept));
    expect(await store.purgeRuns('etl', { before: 5000 })).toEqual([]);
  });

  it('deletes sub-runs with their parent, at any depth, and none without it', async () => {
    const store = openTestStore();
    const root = await addRun(store, { finishedAt: 4000 });
    const child = await addRun(store, {
      name: 'child',
      parent: { ...root, step: 'a' },
      root,
      finishedAt: 3000,
    });
    const grandchild = await addRun(store, {
      name: 'child',
      parent: { ...child, step: 'a' },
      root,
      finishedAt: 2000,
    });
    expect(await store.purgeRuns('child', { before: 5000 })).toEqual([]);
    expect(idsOf(await store.purgeRuns('etl', { before: 5000 }))).toEqual(idsOf([root, child, grandchild]));
    expect(await store.listRuns({ limit: 10 })).toEqual([]);
  });

  it('keeps a run with an active sub-run', async () => {
    const store = openTestStore();
    const root = await addRun(store, { finishedAt: 4000 });
    await addRun(store, { name: 'child', parent: { ...root, step: 'a' }, root });
    expect(await store.purgeRuns('etl', { before: 5000 })).toEqual([]);
    expect(await store.listRuns({ limit: 10 })).toHaveLength(2);
  });

  it('leaves no row of a deleted run behind, and texts only while a run uses them', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    const specOf = (text: string, base: string) => ({ text, base, document: 0 });
    await addRun(store, { spec: specOf('old', 'old base'), finishedAt: 4000 });
    await addRun(store, { spec: specOf('shared', 'base and spec'), finishedAt: 4000 });
    const kept = await addRun(store, { spec: specOf('shared', 'new base') });
    await addRun(store, { spec: { text: 'base and spec', document: 0 } });
    expect(await store.purgeRuns('etl', { before: 5000 })).toHaveLength(2);
    const texts = database.all<{ text: string }>('SELECT text FROM spec ORDER BY text');
    expect(texts.map(({ text }) => text)).toEqual(['base and spec', 'new base', 'shared']);
    for (const table of ['step', 'attempt', 'event']) {
      const rows = database.all<{ run_key: number }>(
        `SELECT DISTINCT run_key FROM ${table} ORDER BY run_key`,
      );
      expect(rows.map((row) => row.run_key)).toEqual([kept.key, kept.key + 1]);
    }
  });

  it('deletes a bounded number at a time, the oldest first', async () => {
    const store = openTestStore();
    for (let count = 0; count < 230; count += 1) await addRun(store, { finishedAt: 4000 - count });
    const batches = await oneByOne(Array.from({ length: 4 }), () => store.purgeRuns('etl', { before: 5000 }));
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 30, 0]);
    expect(batches[0]![0]!.dagRunId).toBe(
      batches[2]!.at(-1)!.dagRunId.replace(/\d+/, (id) => `${Number(id) + 229}`),
    );
  });

  it('counts sub-runs, but deletes a run with more of them than that', async () => {
    const store = openTestStore();
    for (const finishedAt of [1, 2, 3]) {
      const root = await addRun(store, { finishedAt });
      for (let count = 0; count < 60 * finishedAt; count += 1) {
        await addRun(store, { name: 'child', parent: { ...root, step: 'a' }, root, finishedAt });
      }
    }
    const sizes = await oneByOne(
      Array.from({ length: 3 }),
      async () => (await store.purgeRuns('etl', { before: 5000 })).length,
    );
    expect(sizes).toEqual([61, 121, 181]);
  });

  it('keeps a number of newest ones, including active ones', async () => {
    const store = openTestStore();
    const runs = await oneByOne([1, 2, 3, 4], (finishedAt) => addRun(store, { finishedAt }));
    const active = await addRun(store, {});
    await addRun(store, { name: 'other', finishedAt: 1 });
    expect((await store.listPurgeable('etl', { keep: 2 })).map(({ dagRunId }) => dagRunId)).toEqual(
      runs.slice(0, 3).map(({ dagRunId }) => dagRunId),
    );
    expect(await store.purgeRuns('etl', { keep: 5 })).toEqual([]);
    expect(idsOf(await store.purgeRuns('etl', { keep: 2 }))).toEqual(idsOf(runs.slice(0, 3)));
    expect(idsOf(await store.listRuns({ name: 'etl', limit: 9 }))).toEqual(idsOf([runs[3]!, active]));
  });

  it('counts and deletes only runs with the selected statuses, and only those outside of all limits', async () => {
    const store = openTestStore();
    const runs = await oneByOne([1, 2, 3, 4, 5, 6], (at) =>
      addRun(store, { finishedAt: at * 1000, status: at % 2 === 0 ? 'failed' : 'succeeded' }),
    );
    const limits = { statuses: ['failed'], keep: 1, before: 4000 } as const;
    expect(await store.listPurgeable('etl', limits)).toEqual([
      expect.objectContaining({ dagRunId: runs[1]!.dagRunId, status: 'failed', finishedAt: 2000 }),
    ]);
    expect(idsOf(await store.purgeRuns('etl', limits))).toEqual([runs[1]!.dagRunId]);
    expect(await store.purgeRuns('etl', limits)).toEqual([]);
    expect(await store.listRuns({ limit: 9 })).toHaveLength(5);
  });
});
