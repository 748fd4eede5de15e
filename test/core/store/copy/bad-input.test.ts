import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { AppError } from '../../../../core/base/errors.ts';
import { copyHomeDatabase, parseLocation } from '../../../../core/store/maintenance/copy-database.ts';
import { openDatabase, openServerDatabase } from '../../../../core/store/open-store.ts';
import { describeOnServers, newSchemaUrl } from '../../../harness/databases.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { TestPostgres } from '../../../harness/servers/postgres.ts';

const clock = new FakeClock(Date.UTC(2026, 0, 1));
const newFile = (): string => path.join(makeTemporaryFolder(), 'engine.db');

function makeFile(): string {
  const file = newFile();
  openDatabase(file).close();
  return file;
}

/** The error of a copy, which is one sentence or two. */
async function rejectionOf(from: string, to: string): Promise<Pick<AppError, 'code' | 'message'>> {
  const error = await copyHomeDatabase(parseLocation(from, ''), parseLocation(to, ''), clock).then(
    () => undefined,
    (reason: unknown) => reason as AppError,
  );
  return { code: error!.code, message: error!.message };
}

const withUser = (url: string, user: string): string => url.replace('//postgres@', `//${user}@`);

describeOnServers('a copy', (server) => {
  it.each([
    [
      'a user',
      (url: string) => withUser(url, 'missing'),
      'home_unusable',
      'check the user and the password in the URL',
    ],
    [
      'a database',
      (url: string) => url.replace('/postgres?', '/missing?'),
      'home_unusable',
      'create it, or use the URL of another database',
    ],
    [
      'a server',
      (url: string) => url.replace(/:\d+\//, ':1/'),
      'unavailable',
      'Check the server and the network',
    ],
    ['a schema name', (url: string) => `${url}-`, 'home_unusable', 'use lowercase letters, digits and _'],
  ] as const)(
    'is rejected for %s that does not exist, as source and as target',
    async (_what, change, code, remedy) => {
      const [file, url, target] = [makeFile(), change(newSchemaUrl(server())), newFile()];
      const expected = { code, message: expect.stringContaining(remedy) };
      expect(await rejectionOf(file, url)).toEqual(expected);
      expect(await rejectionOf(url, target)).toEqual(expected);
      expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([false, false]);
    },
  );

  it('is rejected for a schema of a newer release, which stays unchanged', async () => {
    const url = newSchemaUrl(server());
    const database = openServerDatabase(url);
    await database.perform(() => database.run('UPDATE schema_version SET version = 999'));
    const expected = {
      code: 'database_newer',
      message: expect.stringContaining('Update Stepwright, or use another database.'),
    };
    expect(await rejectionOf(makeFile(), url)).toEqual(expected);
    expect(await rejectionOf(url, newFile())).toEqual(expected);
    expect(await database.perform(() => database.get('SELECT version FROM schema_version'))).toEqual({
      version: 999,
    });
    database.close();
  });

  it('is rejected when the user does not own the tables of the target, which stay unchanged', async () => {
    const url = newSchemaUrl(server());
    const schema = new URL(url).searchParams.get('schema')!;
    const database = openServerDatabase(url);
    const role = `limited_${schema}`;
    await database.perform(() =>
      database.execute(`
      CREATE ROLE ${role} LOGIN;
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`),
    );
    expect(await rejectionOf(makeFile(), withUser(url, role))).toEqual({
      code: 'home_unusable',
      message: expect.stringMatching(
        /its user does not own the table \w+; make it the owner of all tables of schema own_\w+, or use another schema\.$/,
      ),
    });
    expect(
      await database.perform(() =>
        database.all(
          "SELECT 1 FROM pg_class WHERE relname = 'copy_progress' AND relnamespace = to_regnamespace(current_schema())",
        ),
      ),
    ).toEqual([]);
    database.close();
  });
});

it('is rejected for a read-only standby', { timeout: 120_000 }, async () => {
  const standby = await TestPostgres.start(15);
  try {
    await standby.becomeStandby();
    const expected = {
      code: 'unavailable',
      message: expect.stringContaining('the server is a read-only standby; use the URL of the primary'),
    };
    expect(await rejectionOf(makeFile(), `${standby.url}?schema=copy`)).toEqual(expected);
    expect(await rejectionOf(`${standby.url}?schema=copy`, newFile())).toEqual(expected);
  } finally {
    await standby.close();
  }
});

it('is rejected for a target file that is in use', async () => {
  const [file, target] = [makeFile(), makeFile()];
  const user = openDatabase(target);
  user.get('SELECT 1');
  expect(await rejectionOf(file, target)).toEqual({
    code: 'still_running',
    message: expect.stringContaining('is in use'),
  });
  user.close();
});
