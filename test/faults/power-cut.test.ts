import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../core/gateway/database/start-postgres.ts';
import { makeTemporaryFolder, createOnce } from '../harness/resources.ts';
import { PowerLossDisk } from './rig/disks.ts';
import { type Random, chooseSeeds, createRandom } from './rig/kill.ts';

/** Number of transactions of a database: more only repeat the same losses. */
const transactions = process.env['FAULT_SEEDS'] === undefined ? 20 : 40;

const schema = `
  CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL, note text);
  CREATE TABLE entries (number int PRIMARY KEY, account int NOT NULL, amount int NOT NULL, note text);
  CREATE INDEX entries_of_account ON entries (account);
  INSERT INTO accounts SELECT id, 0 FROM generate_series(1, 20) AS id`;

const empty = createOnce(async () => {
  const folder = makeTemporaryFolder();
  const database = await startPostgres(folder);
  await database.exec(schema);
  await database.close();
  return folder;
});

/** One transaction: an entry, and the balances of two accounts, whose sum is constant. */
async function post(database: PGlite, number: number, random: Random): Promise<void> {
  const [from, to] = [random.between(1, 20), random.between(1, 20)];
  const note = 'x'.repeat(random.pick([0, 100, 3000]));
  await database.transaction(async (transaction) => {
    await transaction.query('UPDATE accounts SET balance = balance - 1, note = $2 WHERE id = $1', [
      from,
      note,
    ]);
    await transaction.query('UPDATE accounts SET balance = balance + 1, note = $2 WHERE id = $1', [to, note]);
    await transaction.query('INSERT INTO entries VALUES ($1, $2, 1, $3)', [number, to, note]);
  });
}

/** Other activity: it changes nothing that is counted. */
const works = [
  'CHECKPOINT',
  'VACUUM accounts',
  'VACUUM FULL entries',
  'REINDEX TABLE entries',
  'ANALYZE',
  'CREATE TABLE IF NOT EXISTS spare AS SELECT * FROM entries',
  'DROP TABLE IF EXISTS spare',
];

/** All transactions found, by table scan and by index; the database is writable. */
async function readLedger(folder: string) {
  const database = await startPostgres(folder);
  try {
    const { rows } = await database.query<{ entries: number; last: number; sum: number }>(
      `SELECT (SELECT count(*)::int FROM entries) AS entries, (SELECT coalesce(max(number), 0) FROM entries) AS last,
        (SELECT sum(balance)::int FROM accounts) AS sum`,
    );
    await database.exec('SET enable_seqscan = off; SET enable_bitmapscan = off');
    const byIndex = await database.query<{ entries: number }>(
      'SELECT count(*)::int AS entries FROM entries WHERE number > 0',
    );
    await database.exec("INSERT INTO entries VALUES (-1, 1, 1, 'after')");
    return { ...rows[0]!, indexed: byIndex.rows[0]!.entries };
  } finally {
    await database.close();
  }
}

beforeAll(() => import('../harness/setup/cache-database-code.ts'));

describe('an embedded database whose machine loses power', () => {
  it.each(chooseSeeds([2]))('has every acknowledged commit, and no partial one (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const folder = join(makeTemporaryFolder(), 'pgdata');
    cpSync(empty(), folder, { recursive: true });
    const disk = new PowerLossDisk(folder);
    const cuts: { folder: string; answered: number }[] = [];
    let answered = 0;
    const cut = (): void => {
      const copy = join(makeTemporaryFolder(), 'pgdata');
      disk.cut(copy, random);
      cuts.push({ folder: copy, answered });
    };
    const database = await startPostgres(folder, (descriptor) => {
      if (random.between(1, 40) === 1) cut();
      disk.sync(descriptor);
    });
    while (answered < transactions) {
      await post(database, answered + 1, random);
      answered += 1;
      if (random.between(1, 20) === 1) cut();
      if (random.between(1, 4) === 1) await database.exec(random.pick(works));
    }
    await database.close();
    expect(cuts).not.toEqual([]);
    for (const { folder: found, answered: min } of cuts) {
      const { entries, ...others } = await readLedger(found);
      expect(others).toEqual({ last: entries, sum: 0, indexed: entries });
      // One without acknowledgement may exist.
      expect([min, min + 1]).toContain(entries);
    }
  });
});
