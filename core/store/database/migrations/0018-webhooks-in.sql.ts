/**
 * Incoming webhooks: receivers, received requests, and their outcome for each workflow. Times are epoch milliseconds.
 * Never edit a released migration; add a new one.
 */
export const sql = /* sql */ `
CREATE TABLE webhook_receiver (
  key INTEGER PRIMARY KEY,
  -- The last part of the address; cannot be guessed.
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  scheme TEXT NOT NULL,
  -- JSON list of {value, until?}, the newest first.
  secrets TEXT NOT NULL,
  allow_sha1 INTEGER NOT NULL,
  max_body INTEGER NOT NULL,
  dedupe_ms INTEGER NOT NULL,
  keep_ms INTEGER NOT NULL,
  active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- One row: goes up with each change of a receiver, so that hosts need not read all of them for each request.
CREATE TABLE webhook_receiver_version (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_receiver_version VALUES (1, 0);

-- AUTOINCREMENT: run ids are made of the key, so none may come again.
CREATE TABLE webhook_received (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  receiver_key INTEGER NOT NULL REFERENCES webhook_receiver (key) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  -- refused, duplicate, accepted
  state TEXT NOT NULL,
  verified INTEGER NOT NULL,
  -- How it was proved, or why it was refused.
  proof TEXT,
  reason TEXT,
  delivery_id TEXT,
  hook_id TEXT,
  event TEXT,
  action TEXT,
  content_type TEXT,
  headers TEXT NOT NULL,
  body BLOB,
  bytes INTEGER NOT NULL,
  address TEXT,
  -- How many runs that webhooks have started lie before it.
  depth INTEGER NOT NULL,
  duplicate_of INTEGER,
  replay_of INTEGER,
  -- JSON list of {dag, trigger, reason}: workflows that it did not start from the outset.
  passed_over TEXT
) STRICT;
CREATE INDEX webhook_received_by_receiver ON webhook_received (receiver_key, key);
CREATE INDEX webhook_received_by_delivery ON webhook_received (receiver_key, delivery_id, key)
  WHERE delivery_id IS NOT NULL AND state = 'accepted' AND replay_of IS NULL;
CREATE INDEX webhook_received_refused ON webhook_received (receiver_key, key) WHERE state = 'refused';
CREATE INDEX webhook_received_by_time ON webhook_received (receiver_key, received_at);

-- A workflow that a delivery starts, or was to start.
CREATE TABLE webhook_start (
  received_key INTEGER NOT NULL REFERENCES webhook_received (key) ON DELETE CASCADE,
  dag TEXT NOT NULL,
  trigger_no INTEGER NOT NULL,
  -- pending, started, replaced, refused
  outcome TEXT NOT NULL,
  reason TEXT,
  run_name TEXT NOT NULL,
  run_id TEXT NOT NULL,
  -- Not before this time; only of those that are debounced.
  due_at INTEGER,
  debounce_key TEXT,
  PRIMARY KEY (received_key, dag, trigger_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_start_pending ON webhook_start (dag, trigger_no, debounce_key) WHERE outcome = 'pending';
CREATE INDEX webhook_start_by_run ON webhook_start (run_id);

-- Of an event of a run: how many runs that webhooks have started lie before it (the loop guard).
ALTER TABLE webhook_event ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
`;
