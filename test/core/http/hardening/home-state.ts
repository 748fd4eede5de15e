import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';

/**
 * What requests could change of a home, as one text: workflow files, runs, their steps' statuses, queues, schedules that are
 * suspended, users and tokens. What a run changes by itself is left out, and so is the database of the gateway, which
 * writes when it likes.
 */
export function readHomeState(home: string): string {
  const files = ['dags', 'data'].flatMap((folder) => listFiles(path.join(home, folder)));
  const kept = files.filter((file) => !/engine\.db|\.lock$|runs\/|data\/gateway\//.test(file));
  const texts = kept.map((file) => [path.relative(home, file), readFileSync(file, 'utf8')]);
  const database = new SqliteDatabase(path.join(home, 'data', 'engine.db'), { readonly: true });
  try {
    const runs = database.prepare('SELECT dag, run_id FROM run ORDER BY key').all();
    const edits = database.prepare("SELECT count(*) AS n FROM event WHERE type = 'step.status_set'").get();
    const queues = database.prepare('SELECT name, state FROM queue ORDER BY name').all();
    return JSON.stringify([texts, runs, edits, queues], undefined, 1);
  } finally {
    database.close();
  }
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
