/**
 * Whether a run used a text that differed from its workflow file, as runs of the editor can: 1, otherwise null. For SQLite
 * and PostgreSQL. Never edit a released migration; add a new one.
 */
export const unsavedRunsSql = 'ALTER TABLE run ADD COLUMN is_unsaved INTEGER;';
export const unsavedRunsServerSql = 'ALTER TABLE run ADD COLUMN is_unsaved bigint;';
