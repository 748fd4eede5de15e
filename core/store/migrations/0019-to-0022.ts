/**
 * Work for other machines: tasks, the workers that run them, the coordinators that hand them over, and the join tokens
 * of workers. Labels are JSON lists of `name=value`. Times are epoch milliseconds. Never edit a released migration; add
 * a new one.
 */
export const dispatchSql = /* sql */ `
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

/**
 * The worker of an attempt or an item, its start time, and why an attempt waits for a worker. Runs that were held back
 * for lack of workers now wait like all others: their steps wait instead. For SQLite. Never edit a released migration;
 * add a new one.
 */
export const workerAttemptsSql = /* sql */ `
ALTER TABLE attempt ADD COLUMN waiting TEXT;
ALTER TABLE attempt ADD COLUMN worker TEXT;
ALTER TABLE attempt ADD COLUMN worker_host TEXT;
ALTER TABLE attempt ADD COLUMN handed_at INTEGER;
ALTER TABLE step_item ADD COLUMN worker TEXT;
ALTER TABLE step_item ADD COLUMN worker_host TEXT;
ALTER TABLE step_item ADD COLUMN handed_at INTEGER;
UPDATE queue_item SET worker_selector = NULL, held = NULL, held_at = NULL
  WHERE worker_selector IS NOT NULL OR held IS NOT NULL;
`;

/**
 * Questions of steps that wait for a person's answer. Times are epoch milliseconds; lists and maps are JSON. Whether an
 * unanswered question is still open depends on its attempt. For SQLite. Never edit a released migration; add a new one.
 */
export const approvalsSql = /* sql */ `
CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  run_key INTEGER NOT NULL,
  section TEXT NOT NULL,
  name TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  question TEXT NOT NULL,
  details TEXT,
  inputs TEXT NOT NULL,
  required TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  answered_at INTEGER,
  decision TEXT CHECK (decision IN ('approved', 'rejected')),
  answered_by TEXT,
  comment TEXT,
  given TEXT,
  UNIQUE (run_key, section, name, attempt),
  FOREIGN KEY (run_key, section, name, attempt)
    REFERENCES attempt (run_key, section, name, attempt) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX approval_unanswered ON approval (id) WHERE decision IS NULL;
`;

const renames = {
  'run.taken_over': 'run.recovered',
  'run.ending': 'run.terminating',
  'run.mailing': 'run.notification',
  'run.note': 'run.message',
  'step.handed_over': 'step.dispatched',
  'step.asked': 'step.approval_requested',
  'step.answered': 'step.approval_resolved',
  'step.settled': 'step.ended',
};

const quote = (text: string): string => `'${text}'`;

/** Event types of 0.1.0 that were renamed since. For SQLite and PostgreSQL. Never edit a released migration. */
export const eventTypesSql = /* sql */ `
UPDATE event SET type = CASE type
${Object.entries(renames)
  .map(([before, after]) => `  WHEN ${quote(before)} THEN ${quote(after)}`)
  .join('\n')}
END
WHERE type IN (${Object.keys(renames).map(quote).join(', ')});
`;
