import { expect, it } from 'vitest';
import type { Database } from '../../../../core/store/database/database.ts';
import {
  emptyTables,
  listSharedTables,
  listTables,
  raiseLastKeys,
  readLastKeys,
} from '../../../../core/store/database/tables.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { createOwnedRun, describeRun, openMemoryDatabase } from '../store-harness.ts';
import { addTableRows, readTableRows } from '../../../harness/table-rows.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Rows per batch; fewer than there are. */
const portion = 2;

function copy(source: Database, target: Database): void {
  target.write(() => {
    emptyTables(target);
    for (const table of listSharedTables(source, target)) {
      for (let after; ;) {
        const rows = readTableRows(source, table, after, portion);
        addTableRows(target, table, rows);
        if (rows.length < portion) break;
        after = rows.at(-1);
      }
    }
    raiseLastKeys(target, readLastKeys(source));
  });
}

const readAll = (database: Database, other: Database): unknown[] =>
  listSharedTables(database, other)
    .map((table) => ({ name: table.name, rows: readTableRows(database, table, undefined, 1000) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));

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
      copy(source, target);
      expect(readAll(target, source)).toEqual(readAll(source, target));
      const [last, next] = [
        readLastKeys(source),
        (await createStore(target).createRun(describeRun(), 1)).key,
      ];
      expect(next).toBe(last.get('run')! + 1);
      expect(createStore(target).lastEventId()).toBe(last.get('event')! + 1);
    },
  );
});
