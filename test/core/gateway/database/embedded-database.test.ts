import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { EmbeddedDatabase } from '../../../../core/gateway/database/embedded-database.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder, onTestCleanup } from '../../../harness/resources.ts';
import { silentLogger } from '../../../harness/fakes.ts';

function open(folder: string): EmbeddedDatabase {
  const limits = { poolTimeoutMs: 10_000, statementTimeoutMs: 30_000 };
  const database = new EmbeddedDatabase({ folder, ...limits }, systemClock, silentLogger);
  onTestCleanup(() => database.close());
  return database;
}

const run = async (database: EmbeddedDatabase, sql: string): Promise<unknown> => {
  const results = await database.runScript(sql);
  return results.at(-1)?.rows;
};

it('creates extensions, which are there when the database is opened again', async () => {
  const folder = makeTemporaryFolder();
  const first = open(folder);
  expect(
    await run(first, 'SELECT name FROM pg_available_extensions WHERE installed_version IS NOT NULL'),
  ).toEqual([['plpgsql']]);
  await run(
    first,
    'CREATE EXTENSION pgcrypto; CREATE EXTENSION moddatetime; CREATE EXTENSION earthdistance CASCADE',
  );
  const used = `SELECT encode(digest('a', 'md5'), 'hex'), cube_dim('(1,2)'::cube), earth() > 6e6`;
  const answer = [['0cc175b9c0f1b6a831c399e269772661', '2', 't']];
  expect(await run(first, used)).toEqual(answer);
  await first.close();
  const again = open(folder);
  expect(await run(again, used)).toEqual(answer);
  await run(
    again,
    `CREATE TABLE notes (id int, at timestamp);
    CREATE TRIGGER moved BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION moddatetime(at);
    INSERT INTO notes VALUES (1); UPDATE notes SET id = 2`,
  );
  expect(await run(again, 'SELECT at IS NOT NULL FROM notes')).toEqual([['t']]);
  expect(await run(again, `CREATE EXTENSION citext; SELECT 'A'::citext = 'a'`)).toEqual([['t']]);
});

it('the documentation lists those that PGlite ships', () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')));
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.tar.gz'))
    .flatMap((file) => execFileSync('tar', ['tzf', join(folder, file)], { encoding: 'utf8' }).split('\n'))
    .flatMap((file) => /([^/]+)\.control$/.exec(file)?.[1] ?? [])
    // Must be loaded when PostgreSQL starts.
    .filter((name) => name !== 'pg_stat_statements');
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/gateway.md'), 'utf8');
  const [, listed = ''] = /`CREATE EXTENSION` supports ([^.]+)\./.exec(docs) ?? [];
  expect(listed.match(/(?<=`)[^`, ]+(?=`)/g)).toEqual(names.toSorted());
});
