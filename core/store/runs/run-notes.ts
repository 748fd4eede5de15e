import { AppError } from '../../base/errors.ts';
import type { RunNote } from '../../model/run.ts';
import type { NoteEdit } from '../types/runs.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { readOwnership } from '../run-ownership.ts';

export const noteSql = 'SELECT text, author, at FROM run_note WHERE run_key = ?';
/** The runs with a note, newest first. */
export const notedKeysSql =
  'SELECT run_key AS key FROM run_note WHERE run_key < ? ORDER BY run_key DESC LIMIT ?';
/** A condition on a row of `run`. */
export const hasNoteSql = 'EXISTS (SELECT 1 FROM run_note WHERE run_note.run_key = run.key)';

const readNote = (database: Database, runKey: number): RunNote | undefined =>
  database.get<{ text: string; author: string; at: number }>(noteSql, runKey);

export function deferNote(database: Database, runKey: number): () => RunNote | undefined {
  const rows = database.defer<{ text: string; author: string; at: number }>(noteSql, runKey);
  return () => rows()[0];
}

export function setNote(database: Database, { runKey, text, by }: NoteEdit, at: number): RunNote | undefined {
  return database.write(() => {
    if (readOwnership(database, runKey) === undefined)
      throw new AppError('not_found', 'The run has been deleted.');
    const previous = readNote(database, runKey);
    if ((previous?.text ?? '') === text) return previous;
    if (text === '') database.run('DELETE FROM run_note WHERE run_key = ?', runKey);
    else
      database.run(
        /* sql */ `
        INSERT INTO run_note (run_key, text, author, at) VALUES (?, ?, ?, ?)
        ON CONFLICT (run_key) DO UPDATE SET text = excluded.text, author = excluded.author, at = excluded.at`,
        runKey,
        text,
        by,
        at,
      );
    insertEvent(database, runKey, at, { type: 'run.note_changed', by });
    return readNote(database, runKey);
  });
}
