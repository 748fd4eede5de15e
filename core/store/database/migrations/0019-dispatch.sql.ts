/**
 * Work for other machines: tasks, the workers that run them, the coordinators that hand them over, and the join tokens
 * of workers. Labels are JSON lists of `name=value`. Times are epoch milliseconds. Never edit a released migration; add
 * a new one.
 */
export const sql = /* sql */ `
CREATE TABLE task (
  -- Age: older ones have lower ones.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  run_key INTEGER NOT NULL,
  dag TEXT NOT NULL,
  run_id TEXT NOT NULL,
  step TEXT NOT NULL,
  -- Labels that a worker must have.
  selector TEXT NOT NULL,
  priority INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ready', 'claimed', 'running', 'settled', 'lost', 'cancelled')),
  fence INTEGER NOT NULL DEFAULT 0,
  worker_id TEXT,
  worker_epoch INTEGER,
  offered_at INTEGER NOT NULL,
  claimed_at INTEGER,
  begun_at INTEGER,
  ended_at INTEGER,
  cancel TEXT CHECK (cancel IN ('stop', 'kill')),
  result TEXT,
  reason TEXT,
  place TEXT NOT NULL,
  -- The last column: it may be large, and most statements do not read it.
  payload TEXT NOT NULL
) STRICT;
CREATE INDEX task_ready ON task (priority DESC, id) WHERE state = 'ready';
CREATE INDEX task_held ON task (worker_id) WHERE state IN ('claimed', 'running');
CREATE INDEX task_by_run ON task (run_key);

CREATE TABLE worker (
  id TEXT PRIMARY KEY,
  -- Of its present life; never the same again.
  epoch INTEGER NOT NULL,
  -- gone: its lease has ended; left: it said so; removed: a person did.
  life TEXT NOT NULL CHECK (life IN ('active', 'gone', 'left', 'removed')),
  is_draining INTEGER NOT NULL DEFAULT 0 CHECK (is_draining IN (0, 1)),
  labels TEXT NOT NULL,
  slots INTEGER NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  registered_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  load REAL,
  free_bytes INTEGER,
  -- Of one that has joined by a token.
  credential_sha256 TEXT,
  credential_token TEXT,
  credential_labels TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE coordinator (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  workers INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE join_token (
  id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  labels TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row.
CREATE TABLE dispatch_fact (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  -- Results that were refused because their fence was over.
  stale_refused INTEGER NOT NULL,
  -- No task is taken from a worker before this time.
  reaping_from INTEGER NOT NULL,
  -- The highest epoch of workers that have been forgotten.
  last_epoch INTEGER NOT NULL,
  -- How often there was something new, by kind: whoever waits sees it by them.
  offered INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO dispatch_fact VALUES (1, 0, 0, 0, 0, 0, 0);
`;
