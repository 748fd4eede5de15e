/**
 * The items of steps with `parallel`, one row for each item that an attempt has started. Times are epoch milliseconds.
 * Never edit a released migration; add a new one.
 */
export const sql = /* sql */ `
CREATE TABLE step_item (
  run_key INTEGER NOT NULL,
  section TEXT NOT NULL,
  name TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  item INTEGER NOT NULL,
  -- How many items the attempt does; the same in all of them.
  total INTEGER,
  value TEXT NOT NULL,
  dir TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('running', 'succeeded', 'partially_succeeded', 'failed', 'aborted')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  exit_code INTEGER,
  signal TEXT,
  error TEXT,
  -- The run that does the item, named as in sub_run; identical items share one.
  dag TEXT,
  run_id TEXT,
  PRIMARY KEY (run_key, section, name, attempt, item),
  FOREIGN KEY (run_key, section, name, attempt)
    REFERENCES attempt (run_key, section, name, attempt) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
`;
