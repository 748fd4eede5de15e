/**
 * Runs, what they execute, their steps, attempts and events. All times are epoch milliseconds. Never edit a released
 * migration; add a new one.
 */
export const initialSql = /* sql */ `
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

/**
 * The base configuration that a run was created with, and an index for finding old runs to remove. Never edit a
 * released migration; add a new one.
 */
export const baseConfigSql = /* sql */ `
-- Texts of base configurations are kept beside those of workflows, each once.
ALTER TABLE run ADD COLUMN base_key INTEGER REFERENCES spec (key);
CREATE INDEX run_by_base ON run (base_key) WHERE base_key IS NOT NULL;
CREATE INDEX run_by_end ON run (dag, finished_at) WHERE is_sub = 0 AND finished_at IS NOT NULL;
`;

/** Steps that run again in a retried run. Never edit a released migration; add a new one. */
export const rerunsSql = /* sql */ `
-- While it is set the row stands for a step that has not started, whatever its status says; its attempts
-- and sub-runs stay.
ALTER TABLE step ADD COLUMN reset_at INTEGER;
`;

/**
 * The items of steps with `parallel`, one row for each item that an attempt has started. Times are epoch milliseconds.
 * Never edit a released migration; add a new one.
 */
export const itemsSql = /* sql */ `
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

/** The trace of a run. Never edit a released migration; add a new one. */
export const tracesSql = /* sql */ `
-- JSON as core/model/run.ts has it; none in runs that were created before.
ALTER TABLE run ADD COLUMN trace TEXT;
`;

/**
 * The processes that drive runs, and the holders of exclusive services. Times are epoch milliseconds. Never edit a
 * released migration; add a new one.
 */
export const hostsSql = /* sql */ `
-- AUTOINCREMENT: a lease or a run of a host that is gone must never become another's.
CREATE TABLE host (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hostname TEXT NOT NULL,
  pid INTEGER NOT NULL,
  pid_start TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  -- The last sign of life.
  beat_at INTEGER NOT NULL,
  -- It has left its runs to others.
  left_at INTEGER
) STRICT;

-- The host behind the columns owner_host to owner_boot_id.
ALTER TABLE run ADD COLUMN owner_key INTEGER REFERENCES host (key);
CREATE INDEX run_by_owner ON run (owner_key) WHERE owner_key IS NOT NULL;

INSERT INTO host (id, hostname, pid, pid_start, boot_id, kind, started_at, beat_at)
SELECT lower(hex(randomblob(16))), owner_host, owner_pid, owner_pid_start, owner_boot_id, 'cli', min(created_at),
  min(created_at)
FROM run WHERE owner_host IS NOT NULL GROUP BY owner_host, owner_pid, owner_pid_start, owner_boot_id;
UPDATE run SET owner_key = (
  SELECT host.key FROM host WHERE host.hostname = run.owner_host AND host.pid = run.owner_pid
    AND host.pid_start = run.owner_pid_start AND host.boot_id = run.owner_boot_id)
WHERE owner_host IS NOT NULL;

CREATE TABLE service_lease (
  name TEXT PRIMARY KEY,
  -- Goes up with each change of holder; a holder with an older one has lost it.
  epoch INTEGER NOT NULL,
  host_key INTEGER REFERENCES host (key) ON DELETE SET NULL,
  until_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
