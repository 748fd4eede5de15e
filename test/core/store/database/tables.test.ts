import { expect, it } from 'vitest';
import type { Database, SqlValue } from '../../../../core/store/database/database.ts';
import {
  emptyTables,
  listSharedTables,
  listTables,
  raiseLastKeys,
  readLastKeys,
  type Table,
} from '../../../../core/store/database/tables.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { createOwnedRun, describeRun, openMemoryDatabase } from '../store-harness.ts';
import { addTableRows, readTableRows } from '../../../harness/table-rows.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Rows per batch; fewer than there are. */
const portion = 2;

const list = (database: Database): Promise<Table[]> => database.perform(() => listTables(database));

function readRows(database: Database, table: Table): SqlValue[][] {
  const all: SqlValue[][] = [];
  for (;;) {
    const rows = readTableRows(database, table, all.at(-1), portion);
    all.push(...rows);
    if (rows.length < portion) return all;
  }
}

async function copy(source: Database, target: Database): Promise<void> {
  const tables = listSharedTables(await list(source), await list(target));
  const rows = await source.perform(() => tables.map((table) => [table, readRows(source, table)] as const));
  const keys = await source.perform(() => readLastKeys(source));
  await target.perform(() =>
    target.write(() => {
      emptyTables(target);
      for (const [table, all] of rows) addTableRows(target, table, all);
      raiseLastKeys(target, keys);
    }),
  );
}

async function readAll(database: Database, other: Database): Promise<unknown[]> {
  const tables = listSharedTables(await list(database), await list(other));
  const all = await database.perform(() =>
    tables.map((table) => ({ name: table.name, rows: readTableRows(database, table, undefined, 1000) })),
  );
  return all.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

async function fill(database: Database): Promise<void> {
  const store = createStore(database);
  const parent = await createOwnedRun(store, { tags: ['a', 'ä'] });
  await parent.write([
    { type: 'run.started', logDir: 'logs' },
    { type: 'run.finished', status: 'failed', error: 'NUL: \0', outputs: { text: 'a\0\uE000' } },
  ]);
  for (let index = 0; index < 3; index += 1)
    await store.createRun(describeRun({ parent: { ...parent.run, step: 'call' }, root: parent.run }), 1);
  // The newest of them was deleted: its key must not be reused.
  await store.deleteRun(await createEnded(store));
  await store.queues.setQueueState('q', 'paused', 'ann', 1);
}

async function createEnded(store: ReturnType<typeof createStore>) {
  const { run, write } = await createOwnedRun(store);
  await write([
    { type: 'run.started', logDir: 'logs' },
    { type: 'run.finished', status: 'succeeded', outputs: {} },
  ]);
  return run;
}

it('tables come after those that they reference', () => {
  const names = listTables(openMemoryDatabase()).map(({ name }) => name);
  for (const [child, parent] of [
    ['run', 'spec'],
    ['run', 'host'],
    ['step_item', 'attempt'],
    ['webhook_delivery', 'webhook_message'],
  ])
    expect(names.indexOf(child!)).toBeGreaterThan(names.indexOf(parent!));
});

describeOnServers('the tables of a home', (server) => {
  it.each(['to a server', 'to a file'])(
    'are copied from one kind of database %s without loss',
    async (way) => {
      const [file, remote] = [openMemoryDatabase(), openForTest(newSchemaUrl(server()))];
      const [source, target]: [Database, Database] = way === 'to a server' ? [file, remote] : [remote, file];
      await fill(source);
      await createStore(target).createRun(describeRun(), 1);
      await copy(source, target);
      expect(await readAll(target, source)).toEqual(await readAll(source, target));
      const [last, next] = [
        await source.perform(() => readLastKeys(source)),
        (await createStore(target).createRun(describeRun(), 1)).key,
      ];
      expect(next).toBe(last.get('run')! + 1);
      expect(await createStore(target).lastEventId()).toBe(last.get('event')! + 1);
    },
  );
});
