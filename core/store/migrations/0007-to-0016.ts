/**
 * The history of schedules, and the scheduler processes. Times are epoch milliseconds. Never edit a released migration;
 * add a new one.
 */
export const scheduleSql = /* sql */ `
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

/** Runs that wait in queues. All times are epoch milliseconds. Never edit a released migration; add a new one. */
export const queuesSql = /* sql */ `
-- The queue that a run counts in; sub-runs count in none.
ALTER TABLE run ADD COLUMN queue TEXT;
UPDATE run SET queue = dag WHERE is_sub = 0 AND finished_at IS NULL;
CREATE INDEX run_by_queue ON run (queue, status) WHERE finished_at IS NULL;

-- Only queues that somebody has paused, drained or opened again.
CREATE TABLE queue (
  name TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('open', 'paused', 'draining')),
  changed_by TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A run has a row until it is active or has ended. AUTOINCREMENT: the key is the order in which they came.
CREATE TABLE queue_item (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  run_key INTEGER NOT NULL UNIQUE REFERENCES run (key) ON DELETE CASCADE,
  queue TEXT NOT NULL,
  priority INTEGER NOT NULL,
  enqueued_at INTEGER NOT NULL,
  -- Of the run's workflow; negative for no limit.
  max_active_runs INTEGER NOT NULL,
  -- It has been handed to the host that owns the run.
  claimed_at INTEGER
) STRICT;
CREATE INDEX queue_item_waiting ON queue_item (queue, priority DESC, key) WHERE claimed_at IS NULL;
CREATE INDEX queue_item_oldest ON queue_item (queue, key) WHERE claimed_at IS NULL;
CREATE INDEX queue_item_claimed ON queue_item (queue, key) WHERE claimed_at IS NOT NULL;

CREATE TABLE queue_host (
  host_key INTEGER PRIMARY KEY REFERENCES host (key) ON DELETE CASCADE
) STRICT;
`;

/** Never edit a released migration; add a new one. */
export const peaksSql = /* sql */ `
-- The most that the processes of a run used at one time: percent of all cores, and bytes.
ALTER TABLE run ADD COLUMN peak_cpu REAL;
ALTER TABLE run ADD COLUMN peak_memory INTEGER;
`;

/**
 * Stored reasons why runs wait, and runs that need a worker. All times are epoch milliseconds. Never edit a released
 * migration; add a new one.
 */
export const queueReasonsSql = /* sql */ `
-- Labels of the worker that the run needs, as JSON; NULL when any host of the home may start it.
ALTER TABLE queue_item ADD COLUMN worker_selector TEXT;
-- What holds the run itself, whatever its queue allows, and since when.
ALTER TABLE queue_item ADD COLUMN held TEXT;
ALTER TABLE queue_item ADD COLUMN held_at INTEGER;
CREATE INDEX queue_item_ready ON queue_item (queue, priority DESC, key)
  WHERE claimed_at IS NULL AND worker_selector IS NULL;

-- What holds the run that is next, for every queue that hosts have seen held.
CREATE TABLE queue_hold (
  queue TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** An index for runs by time. Never edit a released migration; add a new one. */
export const runTimesSql = /* sql */ `
-- Ends in the row's key, like every index of lists; a clock that is set makes the order of keys another one.
CREATE INDEX run_by_created ON run (is_sub, created_at);
`;

/**
 * The tags of runs. The tags of existing runs are not filled in, because only the engine can parse workflow sources.
 * Never edit a released migration; add a new one.
 */
export const runTagsSql = /* sql */ `
-- The tags of its workflow when the run was created; level and time as in its run, so that one index finds a page.
CREATE TABLE run_tag (
  run_key INTEGER NOT NULL REFERENCES run (key) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  is_sub INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (run_key, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_tag_by_tag ON run_tag (tag, is_sub, created_at);
`;

/**
 * Earlier versions of workflow files, and runs of a part of a workflow. Never edit a released migration; add a new one.
 */
export const editorSql = /* sql */ `
-- Apart from those of runs, which come and go with the runs.
CREATE TABLE version_text (
  key INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
-- So that the sum of all can be had without reading the texts.
CREATE INDEX version_text_by_size ON version_text (bytes);

-- AUTOINCREMENT: an id that was handed out never comes back for another text.
CREATE TABLE version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  dag TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT,
  renamed_from TEXT,
  restored_from INTEGER,
  text_key INTEGER NOT NULL REFERENCES version_text (key)
) STRICT;
CREATE INDEX version_by_dag ON version (dag);
CREATE INDEX version_by_text ON version (text_key);

-- Names of the steps that a run is of, as a JSON list; NULL for all of its workflow.
ALTER TABLE run ADD COLUMN only_steps TEXT;
`;

/** The audit trail. Times are epoch milliseconds. Never edit a released migration; add a new one. */
export const auditSql = /* sql */ `
-- AUTOINCREMENT: an entry that was removed never comes back as another one.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  via TEXT NOT NULL,
  address TEXT,
  operation TEXT NOT NULL,
  target TEXT NOT NULL,
  -- done, or the code of the refusal.
  outcome TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_actor ON audit (actor);
-- What was written stays as it is.
CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'entries of the audit trail are never changed');
END;
`;

/** The user or trigger that started a run; unknown for existing runs. Never edit a released migration; add a new one. */
export const runStartersSql = /* sql */ `
ALTER TABLE run ADD COLUMN started_by TEXT;
`;

/** A temporary pause of all schedules of the home. */
export const schedulePauseSql = /* sql */ `
-- At most one row; without one, schedules are served.
CREATE TABLE schedule_pause (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  since INTEGER NOT NULL,
  -- Absent for a pause that lasts until somebody ends it.
  until INTEGER,
  -- Who has asked for it.
  by TEXT NOT NULL
) STRICT;
`;
