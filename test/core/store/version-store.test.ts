import { expect, test } from 'vitest';
import type { NewVersion, VersionStore } from '../../../core/home/library/spec-versions.ts';
import type { Database } from '../../../core/store/database/database.ts';
import { hashSpec } from '../../../core/store/runs/create-run.ts';
import { toAsynchronous } from '../../../core/store/open-store.ts';
import { createVersionStore } from '../../../core/store/versions.ts';
import { describeOnStores, openTestDatabase } from '../../harness/databases.ts';
import { thrownBy } from './store-harness.ts';

function setUp(limits = { perDag: 200, totalBytes: 1000 }): {
  database: Database;
  store: VersionStore;
  add: (dag: string, text: string, more?: Partial<NewVersion>) => Promise<number>;
} {
  const database = openTestDatabase();
  const store = toAsynchronous<VersionStore>(createVersionStore(database, limits), database);
  const add = async (dag: string, text: string, more: Partial<NewVersion> = {}): Promise<number> =>
    (await store.add({ dag, text, hash: hashSpec(text), kind: 'saved', at: 1, ...more }))!.id;
  return { database, store, add };
}

const textsOf = async (store: VersionStore, dag: string): Promise<(string | undefined)[]> =>
  Promise.all((await store.list(dag, undefined, 100)).map(async ({ id }) => (await store.find(id))?.text));

describeOnStores('versions of workflow files', () => {
  test('are listed newest first, page by page, with all metadata', async () => {
    const { store, add } = setUp();
    const first = await add('a', 'ü', { kind: 'found' });
    await add('b', 'other');
    const last = await add('a', 'two', { kind: 'restored', by: 'ann', at: 5, restoredFrom: first });
    const restored = { id: last, dag: 'a', kind: 'restored', hash: hashSpec('two'), bytes: 3, at: 5 };
    expect(await store.list('a', undefined, 1)).toEqual([{ ...restored, by: 'ann', restoredFrom: first }]);
    expect(await store.list('a', last, 10)).toEqual([
      { id: first, dag: 'a', kind: 'found', hash: hashSpec('ü'), bytes: 2, at: 1 },
    ]);
    expect(await store.find(last + 1)).toBeUndefined();
  });

  test('are not added while the text stays the same, also by two callers at once', async () => {
    const { store, add } = setUp();
    const version = { dag: 'a', text: 'one', hash: hashSpec('one'), kind: 'found', at: 1 } as const;
    await Promise.all([store.add(version), store.add(version)]);
    expect(await store.add({ ...version, kind: 'saved' })).toBeUndefined();
    expect(await textsOf(store, 'a')).toEqual(['one']);
    await add('a', 'one', { kind: 'deleted' });
    await add('a', 'one', { kind: 'created' });
    expect(await textsOf(store, 'a')).toEqual(['one', 'one', 'one']);
  });

  test('follow a renamed file', async () => {
    const { store, add } = setUp();
    await add('gone', 'of an earlier file');
    await add('a', 'one');
    await add('gone', 'one', { kind: 'renamed', renamedFrom: 'a' });
    expect(await store.list('a', undefined, 10)).toEqual([]);
    expect(await textsOf(store, 'gone')).toEqual(['one', 'one', 'of an earlier file']);
    expect(await store.listLatest()).toMatchObject([{ dag: 'gone', kind: 'renamed', renamedFrom: 'a' }]);
  });

  test('share a text, which is deleted with the last of them', async () => {
    const { database, store, add } = setUp({ perDag: 2, totalBytes: 1000 });
    await add('a', 'one');
    await add('a', 'two');
    await add('a', 'one');
    const texts = (): Promise<unknown> =>
      database.perform(() => database.all('SELECT text FROM version_text ORDER BY text'));
    expect(await textsOf(store, 'a')).toEqual(['one', 'two']);
    await add('a', 'three');
    await add('a', 'four');
    expect(await textsOf(store, 'a')).toEqual(['four', 'three']);
    expect(await texts()).toEqual([{ text: 'four' }, { text: 'three' }]);
  });

  test('are deleted when there are too many of one workflow, and of no other', async () => {
    const { store, add } = setUp({ perDag: 3, totalBytes: 1000 });
    await add('b', 'kept');
    for (let index = 0; index < 10; index += 1) await add('a', `text ${index}`);
    expect(await textsOf(store, 'a')).toEqual(['text 9', 'text 8', 'text 7']);
    expect(await textsOf(store, 'b')).toEqual(['kept']);
  });

  test('are deleted when they are too large together: oldest first, but the newest of each workflow last', async () => {
    const { store, add } = setUp({ perDag: 200, totalBytes: 50 });
    const text = (name: string): string => name.padEnd(10);
    await add('a', text('a1'));
    await add('b', text('b1'));
    await add('b', text('b2'));
    await add('b', text('b3'));
    await add('c', text('c1'));
    await add('c', text('c2'));
    expect([await textsOf(store, 'a'), await textsOf(store, 'b')]).toEqual([
      [text('a1')],
      [text('b3'), text('b2')],
    ]);
    await add('c', 'c'.repeat(45));
    expect((await store.listLatest()).map(({ dag }) => dag)).toEqual(['c']);
    await add('c', 'd'.repeat(100));
    expect(await textsOf(store, 'c')).toEqual(['d'.repeat(100)]);
  });

  test('are not returned when they are corrupted', async () => {
    const { database, store, add } = setUp();
    const id = await add('a', 'one');
    await database.perform(() => database.run("UPDATE version_text SET text = 'onf'"));
    expect(await thrownBy(() => store.find(id))).toMatchObject({ code: 'database_corrupt' });
  });

  test('have ids that are never reused', async () => {
    const { database, add } = setUp();
    const id = await add('a', 'one');
    await database.perform(() => database.run('DELETE FROM version'));
    expect(await add('a', 'two')).toBeGreaterThan(id);
  });
});
