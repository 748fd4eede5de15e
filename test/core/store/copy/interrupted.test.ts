import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CopyOptions, CopyPhase } from '../../../../core/store/copy/copy-rows.ts';
import { ServerEnd } from '../../../../core/store/copy/server-end.ts';
import {
  copyHomeDatabase,
  type DatabaseCopy,
  parseLocation,
} from '../../../../core/store/maintenance/copy-database.ts';
import {
  openDatabase,
  openServerDatabase,
  prepareServerDatabase,
} from '../../../../core/store/open-store.ts';
import { fillRuns, fillSteps } from '../../../bench/rig/fill-runs.ts';
import { describeOnPostgres, newSchemaUrl } from '../../../harness/databases.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { defaultVersions, sharePostgres, type TestPostgres } from '../../../harness/servers/postgres.ts';
import { thrownBy } from '../store-harness.ts';

const clock = new FakeClock(Date.UTC(2026, 0, 1));

const newFile = (): string => path.join(makeTemporaryFolder(), 'engine.db');

/** More rows than one batch. */
function makeHistory(): string {
  const file = newFile();
  openDatabase(file).close();
  fillRuns(file, 6000, 20);
  fillSteps(file);
  return file;
}

const copy = (from: string, to: string, options?: CopyOptions): Promise<DatabaseCopy> =>
  copyHomeDatabase(parseLocation(from, ''), parseLocation(to, ''), clock, options);

/** Stops a copy once a phase has done so much. */
async function stopAt(from: string, to: string, phase: CopyPhase, count: number): Promise<void> {
  const controller = new AbortController();
  const onProgress = (current: CopyPhase, done: number): void => {
    if (current === phase && done >= count) controller.abort(new Error('stopped'));
  };
  await expect(copy(from, to, { onProgress, signal: controller.signal })).rejects.toThrow('stopped');
}

describeOnPostgres(
  'an interrupted copy',
  (version) => {
    let shared: TestPostgres | undefined;
    beforeAll(async () => {
      shared = await sharePostgres(version);
    }, 60_000);
    const server = (): TestPostgres => shared!;

    describe.each<[CopyPhase, number]>([
      ['copy', 40_000],
      ['index', 30],
      ['verify', 100],
    ])('in phase %s', (phase, count) => {
      it('continues, to a server and back', async () => {
        const [file, url, back] = [makeHistory(), newSchemaUrl(server()), newFile()];
        await stopAt(file, url, phase, count);
        const there = await copy(file, url);
        await stopAt(url, back, phase, count);
        const again = await copy(url, back);
        const direct = await copy(file, newSchemaUrl(server()));
        const byName = ({ tables }: DatabaseCopy) => new Map(tables.map((table) => [table.name, table]));
        expect(byName(there)).toEqual(byName(direct));
        expect(byName(again)).toEqual(byName(direct));
        for (const { resumedRows, isRestarted } of [there, again]) {
          expect(resumedRows).toBeGreaterThanOrEqual(20_000);
          expect(isRestarted).toBe(false);
        }
      });
    });

    it('starts over when the source has changed meanwhile', async () => {
      const [file, url] = [makeHistory(), newSchemaUrl(server())];
      await stopAt(file, url, 'copy', 40_000);
      const database = openDatabase(file);
      await database.perform(() => database.run("UPDATE run SET error = 'changed' WHERE key = 7"));
      database.close();
      expect(await copy(file, url)).toMatchObject({ isRestarted: true, resumedRows: 0 });
      const target = openServerDatabase(url);
      expect(await target.perform(() => target.get('SELECT error FROM run WHERE key = 7'))).toEqual({
        error: 'changed',
      });
      target.close();
    });

    it('continues with rows that were added meanwhile', async () => {
      const [file, url] = [makeHistory(), newSchemaUrl(server())];
      await stopAt(file, url, 'index', 30);
      const database = openDatabase(file);
      await database.perform(() =>
        database.run("INSERT INTO event (run_key, at, type, data) VALUES (1, 1, 'run.noted', '{}')"),
      );
      database.close();
      const { tables, isRestarted } = await copy(file, url);
      expect(isRestarted).toBe(false);
      expect(tables.find(({ name }) => name === 'event')).toMatchObject({ rows: 24_001 });
    });

    it('is no database for an engine, and no target for another source', async () => {
      const [file, url, back] = [makeHistory(), newSchemaUrl(server()), newFile()];
      await stopAt(file, url, 'copy', 40_000);
      const schema = new URL(url).searchParams.get('schema')!;
      expect(await thrownBy(() => prepareServerDatabase(url))).toMatchObject({
        code: 'home_unusable',
        message: expect.stringContaining(
          `schema ${schema} contains an unfinished copy; run the same "engine db copy" again`,
        ),
      });
      await expect(copy(url, back)).rejects.toMatchObject({ code: 'home_unusable' });
      await expect(copy(makeHistory(), url)).rejects.toMatchObject({
        code: 'already_exists',
        message: expect.stringContaining(`contains an unfinished copy of ${file}`),
      });
    });

    it('is continued by one process only', async () => {
      const [file, url] = [makeHistory(), newSchemaUrl(server())];
      await stopAt(file, url, 'copy', 40_000);
      const other = await ServerEnd.openTarget(url);
      await expect(copy(file, url)).rejects.toMatchObject({ code: 'still_running' });
      await other.close();
      expect((await copy(file, url)).resumedRows).toBeGreaterThan(0);
    });

    it('continues after the connection was lost', async () => {
      const [file, url] = [makeHistory(), newSchemaUrl(server())];
      const schema = new URL(url).searchParams.get('schema')!;
      const admin = openServerDatabase(newSchemaUrl(server()));
      await admin.perform(() => undefined);
      const onProgress = (phase: CopyPhase, done: number): void => {
        if (phase !== 'copy' || done < 40_000) return;
        const killing = admin.perform(() =>
          admin.all(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stepwright copy' AND query LIKE 'COPY%'",
          ),
        );
        // The copy may end before.
        killing.catch(() => undefined);
      };
      await expect(copy(file, url, { onProgress })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(schema),
      });
      admin.close();
      expect((await copy(file, url)).resumedRows).toBeGreaterThanOrEqual(20_000);
    });

    it('rejects a target whose rows differ afterwards, and copies them again', async () => {
      const [file, url] = [makeHistory(), newSchemaUrl(server())];
      await stopAt(file, url, 'index', 30);
      const admin = openServerDatabase(newSchemaUrl(server()));
      const schema = new URL(url).searchParams.get('schema')!;
      await admin.perform(() => admin.execute(`UPDATE "${schema}".step SET exit_code = 3 WHERE run_key = 8`));
      admin.close();
      await expect(copy(file, url)).rejects.toMatchObject({
        code: 'database_corrupt',
        message: expect.stringContaining('Table step of'),
      });
      expect(await copy(file, url)).toMatchObject({ resumedRows: 0 });
    });

    it('is rejected when the server was used meanwhile', async () => {
      const [file, url, back] = [makeHistory(), newSchemaUrl(server()), newFile()];
      await copy(file, url);
      const writer = openServerDatabase(url);
      await writer.perform(() => undefined);
      const onProgress = (phase: CopyPhase, done: number): void => {
        if (phase === 'verify' && done === 0)
          void writer.perform(() =>
            writer.run("INSERT INTO event (run_key, at, type, data) VALUES (1, 1, 'run.noted', '{}')"),
          );
      };
      await expect(copy(url, back, { onProgress })).rejects.toMatchObject({ code: 'still_running' });
      writer.close();
      expect((await copy(url, back)).tables.find(({ name }) => name === 'event')).toMatchObject({
        rows: 24_001,
      });
    });

    it('starts over when its file has no progress', async () => {
      const [file, target] = [makeHistory(), newFile()];
      // As if it was interrupted just before the rename.
      copyFileSync(file, `${target}.part`);
      expect(await copy(file, target)).toMatchObject({ resumedRows: 0 });
      expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([true, false]);
    });

    it('locks a file that is its source', async () => {
      const [file, url] = [makeHistory(), newSchemaUrl(server())];
      let isTried = false;
      const onProgress = (phase: CopyPhase): void => {
        if (isTried || phase !== 'copy') return;
        isTried = true;
        const writer = openDatabase(file);
        expect(writer.withoutWaiting(() => writer.run('DELETE FROM event'))).toBe(false);
        writer.close();
      };
      await copy(file, url, { onProgress });
      expect(isTried).toBe(true);
    });
  },
  defaultVersions,
);
