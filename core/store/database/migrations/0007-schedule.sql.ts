/**
 * The history of schedules, and the scheduler processes. Times are epoch milliseconds. Never edit a released migration;
 * add a new one.
 */
export const sql = /* sql */ `
-- One row is one start, stop or restart: the key is what keeps it from being done twice.
CREATE TABLE schedule_slot (
  -- Name of the file in the workflow folder, without its extension.
  dag TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('start', 'stop', 'restart')),
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('started', 'stopped', 'restarting', 'skipped', 'failed')),
  reason TEXT,
  decided_at INTEGER NOT NULL,
  -- The run that was started.
  run_key INTEGER REFERENCES run (key) ON DELETE SET NULL,
  -- The run that a restart waits for.
  previous_key INTEGER REFERENCES run (key) ON DELETE SET NULL,
  PRIMARY KEY (dag, kind, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_slot_by_at ON schedule_slot (at);
CREATE INDEX schedule_slot_by_run ON schedule_slot (run_key) WHERE run_key IS NOT NULL;
CREATE INDEX schedule_slot_by_previous ON schedule_slot (previous_key) WHERE previous_key IS NOT NULL;
CREATE INDEX schedule_slot_restarting ON schedule_slot (dag) WHERE outcome = 'restarting';

CREATE TABLE schedule_dag (
  dag TEXT PRIMARY KEY,
  -- Tells its schedule from another one; absent while there is no such file.
  mark TEXT,
  -- Earlier times do not count: it was first seen, changed or resumed then.
  since INTEGER NOT NULL,
  is_suspended INTEGER NOT NULL DEFAULT 0 CHECK (is_suspended IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_dag_suspended ON schedule_dag (dag) WHERE is_suspended = 1;

-- One row: everything up to this instant has been decided.
CREATE TABLE schedule_watermark (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE schedule_note (
  key INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  dag TEXT,
  message TEXT NOT NULL
) STRICT;

CREATE TABLE scheduler_instance (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  -- Of its health check.
  port INTEGER,
  started_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Whether a run has succeeded since the last scheduled time.
CREATE INDEX run_succeeded ON run (dag, started_at) WHERE status = 'succeeded' AND is_sub = 0;
`;
