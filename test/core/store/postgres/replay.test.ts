import { expect, it } from 'vitest';
import type { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

const insert = 'INSERT INTO spec (sha256, text) VALUES (?, ?)';
const countText = 'SELECT count(*) AS count FROM spec WHERE text = ?';

const list = (database: PostgresDatabase): Promise<unknown[]> =>
  database.perform(() =>
    database.all<{ text: string }>('SELECT text FROM spec ORDER BY key').map(({ text }) => text),
  );

/** Adds a row whose text depends on the key of another row that the same transaction has added. */
function addChain(database: PostgresDatabase, name: string): number {
  const { key } = database.run(insert, name, name);
  const { key: second } = database.run(insert, `${name} ${key}`, `after ${key}`);
  return database.get<{ count: number }>(countText, `after ${key}`)!.count + (second > key ? 1 : 0);
}

describeOnServers('operations of several requests', (server) => {
  it('read what they have written, and what they read is that of their transaction', async () => {
    const database = openForTest(newSchemaUrl(server()));
    let calls = 0;
    const result = await database.perform(() => {
      calls += 1;
      return database.write(() => addChain(database, 'a'));
    });
    expect(result).toBe(2);
    expect(calls).toBeGreaterThan(2);
    expect(await list(database)).toHaveLength(2);
  });

  it('do not block the event loop, and take turns', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const results = names.map((name) =>
      database.perform(() => database.write(() => addChain(database, name))),
    );
    expect(await Promise.all(results)).toEqual(names.map(() => 2));
    expect(await list(database)).toHaveLength(24);
  });

  it('run single statements while each connection has an open transaction', async () => {
    const url = newSchemaUrl(server());
    const [holder, database] = [openForTest(url), openForTest(url)];
    let release: Promise<unknown> | undefined;
    await holder.perform(() =>
      holder.write(() => {
        holder.get('SELECT 1 AS one');
        release ??= Promise.all(
          Array.from({ length: 6 }, (_, index) =>
            database.perform(() => database.writeParallel(() => addChain(database, `w${index}`))),
          ),
        );
        return holder.get('SELECT pg_sleep(0.05)');
      }),
    );
    expect(await release).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('roll back when they throw, wholly or the part that failed', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const failing = database.perform(() =>
      database.write(() => {
        addChain(database, 'a');
        throw new Error('no');
      }),
    );
    await expect(failing).rejects.toThrow('no');
    await database.perform(() =>
      database.write(() => {
        addChain(database, 'b');
        expect(() => database.savepoint(() => database.run(insert, 'b', 'b').key)).toThrow(/duplicate key/);
        database.savepoint(() => addChain(database, 'c'));
      }),
    );
    expect(await list(database)).toHaveLength(4);
    await expect(database.perform(() => database.write(() => database.get('SELECT 1 / 0')))).rejects.toThrow(
      /division/,
    );
    expect(await list(database)).toHaveLength(4);
  });

  it('must make the same requests each time', async () => {
    const database = openForTest(newSchemaUrl(server()));
    let calls = 0;
    const changing = database.perform(() =>
      database.write(() => {
        calls += 1;
        database.run(insert, 'a', 'a');
        return [database.get(`SELECT ${calls} AS call`), database.get('SELECT 2 AS next')];
      }),
    );
    await expect(changing).rejects.toThrow('made another request');
    await waitUntilPasses(async () => expect(await list(database)).toEqual([]));
  });

  it('see one state of the data in a read transaction', async () => {
    const url = newSchemaUrl(server());
    const [reader, writer] = [openForTest(url), openForTest(url)];
    let written: Promise<unknown> | undefined;
    const counts = await reader.perform(() =>
      reader.read(() => {
        const before = reader.get<{ count: number }>(countText, 'x')!.count;
        written ??= writer.perform(() => writer.run(insert, 'x', 'x').key);
        const sleep = reader.get('SELECT pg_sleep(0.05)');
        return [before, sleep && reader.get<{ count: number }>(countText, 'x')!.count];
      }),
    );
    await written;
    expect(counts).toEqual([0, 0]);
    expect(await list(reader)).toEqual(['x']);
  });
});
