import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { makeDatabasePath } from './store-harness.ts';

const program = fileURLToPath(new URL('../../programs/store-writer.ts', import.meta.url));

/** Starts a writer; `lines()` are the whole lines it has printed so far. */
function startWriter(file: string, ...rest: string[]) {
  const child = spawn(process.execPath, [program, file, ...rest], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
  return {
    child,
    lines: (): string[] =>
      printed
        .slice(0, printed.lastIndexOf('\n') + 1)
        .split('\n')
        .filter(Boolean),
    /** Waits until the process has ended and all its output has arrived. */
    ended: async () => {
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      return { code, signal, complaints };
    },
  };
}

describe('several processes', () => {
  it('lose no acknowledged row when the writer is killed', async () => {
    const file = makeDatabasePath();
    for (const wanted of [1, 40, 90]) {
      const writer = startWriter(file);
      const ended = writer.ended();
      while (writer.lines().length < wanted) await once(writer.child.stdout, 'data');
      writer.child.kill('SIGKILL');
      expect(await ended).toMatchObject({ signal: 'SIGKILL', complaints: '' });
      const store = openStore({ file });
      const stored = new Map((await store.listRuns({ limit: 1000 })).map((run) => [run.key, run.status]));
      for (const key of writer.lines()) expect(stored.get(Number(key))).toBe('running');
      store.close();
    }
    const database = new SqliteDatabase(file);
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
    database.close();
  }, 30_000);

  it('can open a new home at the same moment and write to it', async () => {
    const file = makeDatabasePath();
    const writers = Array.from({ length: 4 }, () => startWriter(file, '25'));
    const ends = await Promise.all(writers.map((writer) => writer.ended()));
    expect(ends).toEqual(writers.map(() => ({ code: 0, signal: null, complaints: '' })));
    const keys = writers.flatMap((writer) => writer.lines());
    expect(new Set(keys).size).toBe(100);
    const store = openStore({ file });
    expect(await store.listRuns({ limit: 1000, statuses: ['running'] })).toHaveLength(100);
    expect(await store.lastEventId()).toBe(200);
    store.close();
  }, 30_000);
});
