/** Notes of runs. For SQLite and for PostgreSQL. Never edit a released migration; add a new one. */
const noteSql = (text: string, integer: string, options: string): string => /* sql */ `
CREATE TABLE run_note (
  run_key ${integer} PRIMARY KEY REFERENCES run (key) ON DELETE CASCADE,
  text ${text} NOT NULL,
  -- A user or token, or the interface without login.
  author ${text} NOT NULL,
  -- Epoch milliseconds of the last change.
  at ${integer} NOT NULL
)${options};
`;

export const runNotesSql = noteSql('TEXT', 'INTEGER', ' STRICT');
export const runNotesServerSql = noteSql('text COLLATE "C"', 'bigint', '');
