/**
 * Runs, what they execute, their steps, attempts and events. All times are epoch milliseconds. Never edit a released
 * migration; add a new one.
 */
export const sql = /* sql */ `
-- Each text once, however many runs execute it; the hash also tells when a stored text has decayed.
CREATE TABLE spec (
  key INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE run (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  dag TEXT NOT NULL,
  run_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('not_started', 'queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'aborted')),
  trigger TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  error TEXT,
  cause TEXT,
  log_dir TEXT NOT NULL DEFAULT '',
  default_working_dir TEXT,
  spec_key INTEGER NOT NULL REFERENCES spec (key),
  spec_document INTEGER NOT NULL,
  spec_file TEXT,
  -- A sub-run goes with the run that started it.
  parent_key INTEGER REFERENCES run (key) ON DELETE CASCADE,
  parent_step TEXT,
  root_key INTEGER REFERENCES run (key) ON DELETE CASCADE,
  -- A plain column: an index on a generated one does not cover a query.
  is_sub INTEGER NOT NULL CHECK (is_sub = (parent_key IS NOT NULL)),
  -- The host that drives the run: all four, or none.
  owner_host TEXT,
  owner_pid INTEGER,
  owner_pid_start TEXT,
  owner_boot_id TEXT,
  epoch INTEGER NOT NULL DEFAULT 0,
  stop_requested_by TEXT,
  params TEXT NOT NULL,
  -- Last, so that lists never read the overflow pages of a large one.
  outputs TEXT NOT NULL DEFAULT '{}',
  UNIQUE (dag, run_id),
  CHECK ((owner_host IS NULL) = (owner_pid IS NULL))
) STRICT;
-- Every index ends in the row's key, which is the order of all lists (core/store/runs/run-lists.ts).
CREATE INDEX run_by_level ON run (is_sub);
CREATE INDEX run_by_dag ON run (is_sub, dag);
CREATE INDEX run_by_status ON run (is_sub, status);
CREATE INDEX run_by_dag_status ON run (is_sub, dag, status);
CREATE INDEX run_by_parent ON run (parent_key) WHERE parent_key IS NOT NULL;
CREATE INDEX run_by_root ON run (root_key) WHERE root_key IS NOT NULL;
CREATE INDEX run_by_spec ON run (spec_key);

-- A row exists once the step has left not_started.
CREATE TABLE step (
  run_key INTEGER NOT NULL REFERENCES run (key) ON DELETE CASCADE,
  section TEXT NOT NULL CHECK (section IN ('step', 'handler')),
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('running', 'succeeded', 'partially_succeeded', 'failed', 'aborted', 'skipped')),
  -- Number of the newest attempt; 0 when the step was settled without one.
  attempt INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  exit_code INTEGER,
  signal TEXT,
  error TEXT,
  output_name TEXT,
  output_value TEXT,
  PRIMARY KEY (run_key, section, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
  run_key INTEGER NOT NULL,
  section TEXT NOT NULL,
  name TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  dir TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  pid INTEGER,
  pid_start TEXT,
  exit_code INTEGER,
  signal TEXT,
  error TEXT,
  PRIMARY KEY (run_key, section, name, attempt),
  FOREIGN KEY (run_key, section, name) REFERENCES step (run_key, section, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Runs that steps have started, in the order of starting. They may live outside this database one day,
-- so they are named, not referred to.
CREATE TABLE sub_run (
  key INTEGER PRIMARY KEY,
  run_key INTEGER NOT NULL,
  section TEXT NOT NULL,
  name TEXT NOT NULL,
  dag TEXT NOT NULL,
  run_id TEXT NOT NULL,
  UNIQUE (run_key, section, name, dag, run_id),
  FOREIGN KEY (run_key, section, name) REFERENCES step (run_key, section, name) ON DELETE CASCADE
) STRICT;

-- Append-only. AUTOINCREMENT: an id that was handed out never comes back, so a reader may resume from it.
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_key INTEGER NOT NULL REFERENCES run (key) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_run ON event (run_key);
`;
