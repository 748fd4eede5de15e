import { expect, test } from 'vitest';
import type { NewVersion, VersionStore } from '../../../core/home/library/spec-versions.ts';
import type { Database } from '../../../core/store/database/database.ts';
import { hashSpec } from '../../../core/store/runs/create-run.ts';
import { createVersionStore } from '../../../core/store/versions.ts';
import { describeOnStores, openTestDatabase } from '../../harness/databases.ts';
import { thrownBy } from './store-harness.ts';

function setUp(limits = { perDag: 200, totalBytes: 1000 }): {
  database: Database;
  store: VersionStore;
  add: (dag: string, text: string, more?: Partial<NewVersion>) => number;
} {
  const database = openTestDatabase();
  const store = createVersionStore(database, limits);
  const add = (dag: string, text: string, more: Partial<NewVersion> = {}): number =>
    store.add({ dag, text, hash: hashSpec(text), kind: 'saved', at: 1, ...more }).id;
  return { database, store, add };
}

const textsOf = (store: VersionStore, dag: string): (string | undefined)[] =>
  store.list(dag, undefined, 100).map(({ id }) => store.find(id)?.text);

describeOnStores('versions of workflow files', () => {
  test('are listed newest first, page by page, with all metadata', () => {
    const { store, add } = setUp();
    const first = add('a', 'ü', { kind: 'found' });
    add('b', 'other');
    const last = add('a', 'two', { kind: 'restored', by: 'ann', at: 5, restoredFrom: first });
    const restored = { id: last, dag: 'a', kind: 'restored', hash: hashSpec('two'), bytes: 3, at: 5 };
    expect(store.list('a', undefined, 1)).toEqual([{ ...restored, by: 'ann', restoredFrom: first }]);
    expect(store.list('a', last, 10)).toEqual([
      { id: first, dag: 'a', kind: 'found', hash: hashSpec('ü'), bytes: 2, at: 1 },
    ]);
    expect(store.newest('a')?.id).toBe(last);
    expect(store.newest('none')).toBeUndefined();
    expect(store.find(last + 1)).toBeUndefined();
  });

  test('follow a renamed file', () => {
    const { store, add } = setUp();
    add('gone', 'of an earlier file');
    add('a', 'one');
    add('gone', 'one', { kind: 'renamed', renamedFrom: 'a' });
    expect(store.list('a', undefined, 10)).toEqual([]);
    expect(textsOf(store, 'gone')).toEqual(['one', 'one', 'of an earlier file']);
    expect(store.listLatest()).toMatchObject([{ dag: 'gone', kind: 'renamed', renamedFrom: 'a' }]);
  });

  test('share a text, which is deleted with the last of them', async () => {
    const { database, store, add } = setUp({ perDag: 2, totalBytes: 1000 });
    add('a', 'one');
    add('a', 'two');
    add('a', 'one');
    const texts = (): Promise<unknown> =>
      database.perform(() => database.all('SELECT text FROM version_text ORDER BY text'));
    expect(textsOf(store, 'a')).toEqual(['one', 'two']);
    add('a', 'three');
    add('a', 'four');
    expect(textsOf(store, 'a')).toEqual(['four', 'three']);
    expect(await texts()).toEqual([{ text: 'four' }, { text: 'three' }]);
  });

  test('are deleted when there are too many of one workflow, and of no other', () => {
    const { store, add } = setUp({ perDag: 3, totalBytes: 1000 });
    add('b', 'kept');
    for (let index = 0; index < 10; index += 1) add('a', `text ${index}`);
    expect(textsOf(store, 'a')).toEqual(['text 9', 'text 8', 'text 7']);
    expect(textsOf(store, 'b')).toEqual(['kept']);
  });

  test('are deleted when they are too large together: oldest first, but the newest of each workflow last', () => {
    const { store, add } = setUp({ perDag: 200, totalBytes: 50 });
    const text = (name: string): string => name.padEnd(10);
    add('a', text('a1'));
    add('b', text('b1'));
    add('b', text('b2'));
    add('b', text('b3'));
    add('c', text('c1'));
    add('c', text('c2'));
    expect([textsOf(store, 'a'), textsOf(store, 'b')]).toEqual([[text('a1')], [text('b3'), text('b2')]]);
    add('c', 'c'.repeat(45));
    expect(store.listLatest().map(({ dag }) => dag)).toEqual(['c']);
    add('c', 'd'.repeat(100));
    expect(textsOf(store, 'c')).toEqual(['d'.repeat(100)]);
  });

  test('are not returned when they are corrupted', async () => {
    const { database, store, add } = setUp();
    const id = add('a', 'one');
    await database.perform(() => database.run("UPDATE version_text SET text = 'onf'"));
    expect(await thrownBy(() => store.find(id))).toMatchObject({ code: 'database_corrupt' });
  });

  test('have ids that are never reused', async () => {
    const { database, add } = setUp();
    const id = add('a', 'one');
    await database.perform(() => database.run('DELETE FROM version'));
    expect(add('a', 'two')).toBeGreaterThan(id);
  });
});
