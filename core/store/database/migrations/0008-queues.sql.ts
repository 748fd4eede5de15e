/** Runs that wait in queues. All times are epoch milliseconds. Never edit a released migration; add a new one. */
export const sql = /* sql */ `
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
