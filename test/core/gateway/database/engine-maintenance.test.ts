import { beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '../../../../core/base/logger.ts';
import { EmbeddedEngine } from '../../../../core/gateway/database/embedded-engine.ts';
import {
  EngineMaintenance,
  type MaintainedEngine,
  type MaintenanceLimits,
} from '../../../../core/gateway/database/engine-maintenance.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, onTestCleanup } from '../../../harness/resources.ts';

const megabyte = 1024 * 1024;

let engine: EmbeddedEngine;
let clock: FakeClock;
let warnings: string[];
let asked: number;

beforeEach(async () => {
  const settings = {
    folder: `${makeTemporaryFolder()}/pgdata`,
    statementTimeoutMs: 0,
    poolTimeoutMs: 10_000,
  };
  engine = new EmbeddedEngine(settings, systemClock, silentLogger);
  onTestCleanup(() => engine.close());
  await engine.open();
  clock = new FakeClock();
  warnings = [];
  asked = 0;
}, 60_000);

/** Runs once per call, counting all writes immediately. */
function begin(limits: Partial<MaintenanceLimits> = {}): () => Promise<void> {
  const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  const tended: MaintainedEngine = {
    get isOpen() {
      return engine.isOpen;
    },
    get writes() {
      return engine.writes;
    },
    transact: (transaction) => {
      asked += 1;
      return engine.transact(transaction);
    },
    maintain: (text) => engine.maintain(text),
  };
  const usual = { maxLog: 64 * megabyte, largestTable: 64 * megabyte, oldestTable: 1_000_000 };
  const maintenance = new EngineMaintenance(tended, clock, logger, { ...usual, ...limits });
  maintenance.start();
  onTestCleanup(() => maintenance.close());
  return async () => {
    clock.advance(10_000);
    await maintenance.settled();
  };
}

const write = (sql: string): Promise<unknown> =>
  engine.runScript(`${sql}; SELECT pg_stat_force_next_flush()`);

async function read(text: string): Promise<(string | null)[]> {
  const [result] = await engine.transact({ isReadOnly: true, statements: [{ text, values: [] }] });
  return [...result!.rows[0]!];
}

/** Estimated number of rows of a table, and whether it was vacuumed. */
const describeTable = (name: string): Promise<(string | null)[]> =>
  read(`SELECT c.reltuples, s.last_vacuum IS NOT NULL FROM pg_stat_user_tables AS s
    JOIN pg_class AS c ON c.oid = s.relid WHERE s.relname = '${name}'`);

const many = 'SELECT g AS id FROM generate_series(1, 2000) AS g';
const few = 'SELECT g AS id FROM generate_series(1, 200) AS g';

describe('maintenance of an embedded database', () => {
  it('restarts the write-ahead log when it has grown', async () => {
    const look = begin({ maxLog: megabyte });
    const isLong = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > ${megabyte} FROM pg_control_checkpoint()`;
    await write(`CREATE TABLE texts AS
      SELECT (SELECT string_agg(md5((row * g)::text), '') FROM generate_series(1, 3000) AS g)
      FROM generate_series(1, 40) AS row`);
    expect(await read(isLong)).toEqual(['t']);
    await look();
    expect(await read(isLong)).toEqual(['f']);
  });

  it('vacuums a table with many new or dead rows, and analyzes one that has changed less', async () => {
    const look = begin();
    await write(`CREATE TABLE large (id int); INSERT INTO large ${many};
      CREATE TABLE small (id int); INSERT INTO small ${few}; CREATE TABLE tiny AS SELECT 1 AS id`);
    await look();
    expect([await describeTable('large'), await describeTable('small')]).toEqual([
      ['2000', 't'],
      ['-1', 'f'],
    ]);
    await look();
    await look();
    expect([await describeTable('small'), await describeTable('tiny')]).toEqual([
      ['200', 'f'],
      ['-1', 'f'],
    ]);
  });

  it('does nothing while nothing is written', async () => {
    const look = begin();
    await look();
    expect(asked).toBe(0);
    await write('CREATE TABLE empty (id int)');
    await look();
    const once = asked;
    await look();
    await read('SELECT 1');
    await look();
    expect([once, asked]).toEqual([2, 2]);
  });

  it('skips tables that are too large, or excluded by their owner', async () => {
    const look = begin({ largestTable: 50_000 });
    await write(`CREATE TABLE large (id int); INSERT INTO large ${many};
      CREATE TABLE excepted (id int) WITH (autovacuum_enabled = off); INSERT INTO excepted ${few}`);
    await look();
    await look();
    expect([await describeTable('large'), await describeTable('excepted')]).toEqual([
      ['-1', 'f'],
      ['-1', 'f'],
    ]);
  });

  it('freezes old rows, whatever the size and even if excluded', async () => {
    const look = begin({ largestTable: 0, oldestTable: 300 });
    const transactions = 'INSERT INTO old VALUES (1);'.repeat(400);
    await write(`CREATE TABLE old (id int) WITH (autovacuum_enabled = off); ${transactions}`);
    const isOld = `SELECT age(relfrozenxid) > 300 FROM pg_class WHERE relname = 'old'`;
    expect(await read(isOld)).toEqual(['t']);
    for (let count = 0; count < 200 && (await read(isOld))[0] === 't'; count += 1) await look();
    expect(await read(isOld)).toEqual(['f']);
  });

  it('reports a table that cannot be vacuumed once, and continues with the next', async () => {
    const look = begin();
    await write(`CREATE FUNCTION fail(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN id; END';
      CREATE TABLE "Bad, one" (id int); CREATE INDEX ON "Bad, one" (fail(id)); INSERT INTO "Bad, one" ${many};
      CREATE OR REPLACE FUNCTION fail(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END';
      CREATE TABLE good (id int); INSERT INTO good ${few}`);
    for (let count = 0; count < 3; count += 1) await look();
    expect(warnings).toEqual(['Cannot vacuum the embedded database: no']);
    expect(await describeTable('good')).toEqual(['200', 'f']);
  });
});
