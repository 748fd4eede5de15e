import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { homePaths } from '../../core/home/config/home.ts';
import type { Database } from '../../core/store/database/database.ts';
import { listSharedTables, listTables, type Table } from '../../core/store/database/tables.ts';
import { openDatabase, openServerDatabase } from '../../core/store/open-store.ts';
import { fillRuns, fillSteps } from '../bench/rig/fill-runs.ts';
import { newSchemaUrl } from '../harness/databases.ts';
import { placeEmptyDatabase } from '../harness/empty-database.ts';
import { makeTestHome, runEngine, startEngine, type TestHome } from '../harness/home-and-command.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';
import { missingForPostgres, sharePostgres } from '../harness/servers/postgres.ts';
import { readTableRows } from '../harness/table-rows.ts';
import { copyPoints } from './points.ts';
import { isSuspended, waitFor } from './rig/kill.ts';

/** Their events are two batches of a copy. */
const runCount = 7000;

function makeHistory(): { place: TestHome; file: string } {
  const place = makeTestHome();
  placeEmptyDatabase(place.home);
  const file = homePaths(place.home).database;
  fillRuns(file, runCount, 20);
  fillSteps(file);
  return { place, file };
}

type Rows = ReadonlyMap<string, unknown[]>;

/** Every row of these tables. */
const readAll = (database: Database, tables: readonly Table[]): Promise<Rows> =>
  database.perform(
    () => new Map(tables.map((table) => [table.name, readTableRows(database, table, undefined, 1_000_000)])),
  );

/** The tables whose rows differ. `toEqual` would take seconds. */
const listDifferent = (first: Rows, second: Rows): string[] =>
  [...first.keys()].filter((table) => !isDeepStrictEqual(first.get(table), second.get(table)));

interface Copied {
  readonly resumedRows: number;
  readonly isRestarted: boolean;
  readonly tables: { readonly name: string }[];
}

/** Kills a copy at a fault point, and continues it. */
async function killAndContinue(place: TestHome, words: readonly string[], point: string): Promise<Copied> {
  const copy = ['db', 'copy', ...words, '--format', 'json'];
  const killed = await runEngine(place, copy, { ENGINE_FAILPOINT: `${point}:kill` });
  expect(killed.signal).toBe('SIGKILL');
  const { code, stdout, stderr } = await runEngine(place, copy);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const copied = JSON.parse(stdout) as Copied;
  return { ...copied, tables: copied.tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

const missing = missingForPostgres(15);

describe.skipIf(missing !== undefined)(`a killed copy${missing ? ` (missing here: ${missing})` : ''}`, () => {
  it.each(copyPoints)(
    'is continued, to a server and back: %s',
    async (point) => {
      const { place, file } = makeHistory();
      const url = newSchemaUrl(await sharePostgres(15));
      const there = await killAndContinue(place, ['--to', url], point);
      const back = path.join(makeTemporaryFolder(), 'back.db');
      const again = await killAndContinue(place, ['--from', url, '--to', back], point);
      for (const copied of [there, again]) {
        expect(copied).toMatchObject({ isRestarted: false, tables: there.tables });
        expect(copied.resumedRows).toBeGreaterThan(20_000);
      }
      const databases = [openDatabase(file), openServerDatabase(url), openDatabase(back)] as const;
      const server = databases[1];
      const tables = listSharedTables(
        listTables(databases[0]),
        await server.perform(() => listTables(server)),
      );
      const [first, second, third] = await Promise.all(databases.map((each) => readAll(each, tables)));
      expect(listDifferent(first!, second!)).toEqual([]);
      expect(listDifferent(first!, third!)).toEqual([]);
      expect(first!.get('event')).toHaveLength(4 * runCount);
      for (const database of databases) database.close();
    },
    240_000,
  );

  it('says how to continue when it is stopped by Ctrl+C, and shows its progress in lines', async () => {
    const { place } = makeHistory();
    const copy = ['db', 'copy', '--to', newSchemaUrl(await sharePostgres(15))];
    const stopped = startEngine(place, copy, { ENGINE_FAILPOINT: 'copy.rows@5:stop' });
    await waitFor('the halt', () => isSuspended(stopped.child.pid!));
    stopped.kill('SIGINT');
    stopped.kill('SIGCONT');
    const { code, stdout, stderr } = await stopped.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(/^Copying: 0 of 49,00\d rows\n/);
    expect(stderr).toMatch(/\nengine: stopped\. Run the same command again to continue\.\n$/);
    const continued = await runEngine(place, copy);
    expect(continued.stderr).toMatch(/^Checking the interrupted copy: 0 of .*\n.*Verifying: /s);
    expect(continued).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        / rows by an interrupted copy\)\. Row counts and hashes of all tables match\.\n$/,
      ),
      stdout: expect.stringMatching(/^event +28000 /m),
    });
  });
});
