import { oneByOne } from '../../../harness/resources.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RunRecord, runStatuses } from '../../../../core/model/run.ts';
import type { RunCursor, RunSearch, RunStore } from '../../../../core/store/types/runs.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { describeRun, openTestStore, owner, thrownBy, repeatRun } from '../store-harness.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

/** Every third run is tagged `x`, every fifth one `y`, every one `all`. */
const tagsOf = (index: number): string[] => [
  'all',
  ...(index % 3 === 0 ? ['x'] : []),
  ...(index % 5 === 0 ? ['y'] : []),
];

/** 80 runs of four names, every fourth one a sub-run, at times that go back now and then, as clocks do. */
async function fill(store: RunStore): Promise<RunRecord[]> {
  const root = await store.createRun(describeRun({ name: 'b' }), 500);
  const runs = await oneByOne(Array.from({ length: 80 }), async (_, index) => {
    const name = ['Etl', 'b', 'etl-2', 'c'][(index * 7) % 4]!;
    const parent = index % 4 === 3 ? { ...root, step: 's' } : undefined;
    const at = 1000 + index * 10 - (index % 9 === 0 ? 200 : 0);
    const isOwned = index % 3 !== 0;
    const dagRunId = `id-${index % 50}`;
    const run = await store.createRun(
      describeRun({ name, parent, dagRunId, tags: tagsOf(index), owner: isOwned ? owner : undefined }),
      at,
    );
    if (!isOwned) return run;
    const { epoch } = run;
    const status = index % 3 === 1 ? 'failed' : 'succeeded';
    const events = [{ at, event: { type: 'run.finished', status, outputs: {} } as const }];
    await store.append([{ runKey: run.key, epoch, events }]);
    return run;
  });
  return await oneByOne([root, ...runs], async (run) => (await store.findRun(run))!);
}

/** The first of all runs has no tag. */
const hasTag = (run: RunRecord, tag: string): boolean => run.key > 1 && tagsOf(run.key - 2).includes(tag);

function matches(run: RunRecord, search: Omit<RunSearch, 'limit'>): boolean {
  return (
    (search.name === undefined || run.name === search.name) &&
    (search.nameContains === undefined ||
      run.name.toLowerCase().includes(search.nameContains.toLowerCase())) &&
    (search.dagRunId === undefined || run.dagRunId === search.dagRunId) &&
    (search.statuses === undefined || search.statuses.includes(run.status)) &&
    (search.tags ?? []).every((tag) => hasTag(run, tag)) &&
    (!search.topLevelOnly || run.parent === undefined) &&
    run.createdAt >= (search.createdFrom ?? 0) &&
    run.createdAt < (search.createdBefore ?? Infinity)
  );
}

/** Every page of a search. */
async function walk(store: RunStore, search: RunSearch): Promise<number[]> {
  const keys: number[] = [];
  let after: RunCursor | undefined;
  do {
    const page = await store.searchRuns({ ...search, after });
    expect(page.runs.length).toBeLessThanOrEqual(search.limit);
    keys.push(...page.runs.map(({ key }) => key));
    after = page.next;
  } while (after !== undefined);
  return keys;
}

describeOnStores('searchRuns', () => {
  it('returns the result of every combination of filters, page by page, newest first', async () => {
    const store = openTestStore();
    const all = await fill(store);
    const search = fc.record(
      {
        name: fc.constantFrom('Etl', 'b', 'none'),
        nameContains: fc.constantFrom('ETL', 'c', '-', 'none'),
        dagRunId: fc.constantFrom('id-1', 'id-5', 'id-29', 'none'),
        statuses: fc.subarray([...runStatuses]),
        tags: fc.subarray(['all', 'x', 'y', 'none'], { maxLength: 3 }),
        topLevelOnly: fc.boolean(),
        createdFrom: fc.integer({ min: 400, max: 2000 }),
        createdBefore: fc.integer({ min: 400, max: 2000 }),
        limit: fc.integer({ min: 1, max: 40 }),
      },
      { requiredKeys: ['limit'] },
    );
    await fc.assert(
      fc.asyncProperty(search, async (given) => {
        const expected = all.filter((run) => matches(run, given));
        const byTime =
          ((given.createdFrom ?? given.createdBefore) !== undefined || (given.tags ?? []).length > 0) &&
          given.name === undefined &&
          given.dagRunId === undefined;
        expected.sort((a, b) => (byTime ? b.createdAt - a.createdAt : 0) || b.key - a.key);
        expect(await walk(store, given)).toEqual(expected.map(({ key }) => key));
        const { limit: _, ...counted } = given;
        expect(await store.countRuns(counted)).toEqual({ count: expected.length, isComplete: true });
      }),
      { seed: 5, numRuns: propertyRuns(600) },
    );
  });

  it('scans a bounded number of runs, and continues where it stopped', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    const old = await store.createRun(describeRun({ name: 'rare' }), 1);
    await repeatRun(database, await store.createRun(describeRun({ name: 'often' }), 10), 5199);
    const search = { createdBefore: 100, nameContains: 'rare', limit: 10 };
    const first = await store.searchRuns(search);
    expect(first).toMatchObject({ runs: [], next: { at: 10 } });
    const second = await store.searchRuns({ ...search, after: first.next });
    expect([second.runs.map(({ key }) => key), second.next]).toEqual([[old.key], undefined]);
  });

  it('counts by an index at any number of runs, and scans a bounded number of runs otherwise', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    await repeatRun(database, await store.createRun(describeRun({ name: 'often', params: [] }), 10), 10_499);
    const exact = { count: 10_500, isComplete: true };
    expect(await store.countRuns({ topLevelOnly: true })).toEqual(exact);
    expect(await store.countRuns({ name: 'often', statuses: ['not_started'] })).toEqual(exact);
    expect(await store.countRuns({ createdFrom: 10, createdBefore: 11 })).toEqual(exact);
    expect(await store.countRuns({ text: 'often' })).toEqual({ count: 10_000, isComplete: false });
  });

  it('finds a rare tag among many runs at once, and deleted runs by no tag', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    const create = (tags: string[], at: number) => store.createRun(describeRun({ tags, owner }), at);
    const old = await create(['often', 'rare'], 1);
    await repeatRun(database, await create(['often'], 10), 3999, 1);
    const found = await store.searchRuns({ tags: ['often', 'rare'], topLevelOnly: true, limit: 10 });
    expect([found.runs.map(({ key }) => key), found.next]).toEqual([[old.key], undefined]);
    await expect(() => store.searchRuns({ tags: ['rare'], limit: 1, after: { key: 5 } })).rejects.toThrow(
      'cursor',
    );
    await store.append([
      {
        runKey: old.key,
        epoch: old.epoch,
        events: [{ at: 2, event: { type: 'run.finished', status: 'failed', outputs: {} } }],
      },
    ]);
    await store.purgeRuns(old.name, { before: 3 });
    expect(await walk(store, { tags: ['rare'], limit: 10 })).toEqual([]);
  });

  it('finds parts of many names', async () => {
    const store = openTestStore();
    const names = Array.from({ length: 120 }, (_, index) => `flow-${index}`);
    for (const name of [...names, 'other', ...names]) await store.createRun(describeRun({ name }), 1);
    const keys = await walk(store, { nameContains: 'FLOW', topLevelOnly: true, limit: 50 });
    expect([keys.length, keys]).toEqual([240, keys.toSorted((a, b) => b - a)]);
    const some = await walk(store, { nameContains: 'flow-3', limit: 3 });
    expect([some.length, some]).toEqual([22, some.toSorted((a, b) => b - a)]);
  });

  it('finds names added since the last search, few or many', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    const create = (name: string) => store.createRun(describeRun({ name }), 1);
    const find = (nameContains: string) => walk(store, { nameContains, limit: 50 });
    const { key: first } = await create('etl-1');
    expect(await find('etl')).toEqual([first]);
    const { key: second } = await create('etl-2');
    expect(await find('etl')).toEqual([second, first]);
    await repeatRun(database, await create('often'), 1099);
    const { key: third } = await create('etl-3');
    expect(await find('etl')).toEqual([third, second, first]);
    expect(await find('none')).toEqual([]);
  });

  it('rejects a cursor of another order', async () => {
    const store = openTestStore();
    const refuse = async (search: RunSearch) => (await thrownBy(() => store.searchRuns(search))).code;
    expect(await refuse({ limit: 1, after: { key: 3, at: 5 } })).toBe('bad_request');
    expect(await refuse({ limit: 1, after: { key: 3 }, createdFrom: 1 })).toBe('bad_request');
  });
});
