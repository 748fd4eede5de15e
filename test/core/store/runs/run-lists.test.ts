import { oneByOne } from '../../../harness/resources.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RunStatus, runStatuses, type RunRecord } from '../../../../core/model/run.ts';
import type { RunFilter, RunStore } from '../../../../core/store/types/runs.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore, repeatRun } from '../store-harness.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const finalStatuses = ['succeeded', 'partially_succeeded', 'failed', 'aborted'] as const;

/** 60 runs of three workflows, every fourth one a sub-run, in every possible status. */
async function fill(store: RunStore): Promise<RunRecord[]> {
  const root = await store.createRun(describeRun({ name: 'b' }), 0);
  const runs = await oneByOne(Array.from({ length: 60 }), async (_, index) => {
    const parent = index % 4 === 3 ? { ...root, step: 's' } : undefined;
    const { run, write } = await createOwnedRun(store, { name: 'abc'[index % 3]!, parent });
    if (index % 6 > 0) await write([{ type: 'run.started', logDir: 'l' }]);
    const status = finalStatuses[(index % 6) - 2];
    if (status) await write([{ type: 'run.finished', status, outputs: { BIG: 'x' } }]);
    return run;
  });
  const all = await oneByOne([root, ...runs], async (run) => ({
    ...(await store.findRun(run))!,
    outputs: {},
  }));
  return all.reverse();
}

describeOnStores('listRuns', () => {
  it('returns the result of every combination of filters, newest first', async () => {
    const store = openTestStore();
    const all = await fill(store);
    const filter = fc.record(
      {
        name: fc.constantFrom('a', 'b', 'c', 'none'),
        statuses: fc.subarray([...runStatuses]),
        topLevelOnly: fc.boolean(),
        before: fc.integer({ min: -1, max: 80 }),
        limit: fc.integer({ min: 1, max: 70 }),
      },
      { requiredKeys: ['limit'] },
    );
    const matches = (run: RunRecord, { name, statuses, topLevelOnly, before }: RunFilter): boolean =>
      (name === undefined || run.name === name) &&
      (statuses === undefined || statuses.includes(run.status)) &&
      (!topLevelOnly || run.parent === undefined) &&
      (before === undefined || run.key < before);
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const expected = all.filter((run) => matches(run, given)).slice(0, given.limit);
        expect(await store.listRuns(given)).toEqual(expected);
      }),
      { seed: 7, numRuns: propertyRuns(500) },
    );
  });

  it('pages through the history without gaps or duplicates while runs are added', async () => {
    const store = openTestStore();
    const all = await fill(store);
    const seen: RunRecord[] = [];
    for (;;) {
      const page = await store.listRuns({ limit: 7, before: seen.at(-1)?.key });
      if (page.length === 0) break;
      seen.push(...page);
      await store.createRun(describeRun(), 1);
    }
    expect(seen).toEqual(all);
  });

  it('ignores duplicate statuses', async () => {
    const store = openTestStore();
    await fill(store);
    const statuses: RunStatus[] = ['failed', 'failed'];
    expect(await store.listRuns({ limit: 100, statuses })).toEqual(
      await store.listRuns({ limit: 100, statuses: ['failed'] }),
    );
  });

  it.each([
    [0, 1],
    [-5, 1],
    [5000, 1000],
  ])('treats a limit of %i as %i', async (limit, expected) => {
    const database = openTestDatabase();
    const store = createStore(database);
    await repeatRun(database, await store.createRun(describeRun(), 1), 1000);
    expect(await store.listRuns({ limit })).toHaveLength(expected);
  });
});

describeOnStores('latest run', () => {
  it('of one workflow is its newest root run', async () => {
    const store = openTestStore();
    const newest = (await fill(store)).find((run) => run.name === 'a' && run.parent === undefined)!;
    expect(await store.latestRun('a')).toEqual({
      ...newest,
      outputs: (await store.findRun(newest))!.outputs,
    });
    expect(await store.latestRun('none')).toBeUndefined();
  });

  it('is listed for each workflow, by name', async () => {
    const store = openTestStore();
    const all = await fill(store);
    await store.createRun(describeRun({ name: 'sub-only', parent: { ...all[0]!, step: 's' } }), 1);
    const latest = await store.latestRuns();
    expect([...latest.keys()].sort()).toEqual(['a', 'b', 'c']);
    for (const [name, run] of latest) {
      expect(run).toEqual(all.find((candidate) => candidate.name === name && candidate.parent === undefined));
    }
  });

  it('does not exist in an empty home', async () => {
    const store = openTestStore();
    expect((await store.latestRuns()).size).toBe(0);
    expect(await store.listRuns({ limit: 10 })).toEqual([]);
    expect(await store.lastEventId()).toBe(0);
    expect(await store.findRun({ name: 'a', dagRunId: 'b' })).toBeUndefined();
    expect(await store.getDetail({ name: 'a', dagRunId: 'b' })).toBeUndefined();
  });
});
