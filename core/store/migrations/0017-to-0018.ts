/**
 * Outgoing webhooks: hooks, pending events (the outbox), a message per hook and event, and the result of each attempt.
 * Times are epoch milliseconds. Never edit a released migration; add a new one.
 */
export const webhooksOutSql = /* sql */ `
-- AUTOINCREMENT, here and below: receivers know hooks by their id, and pages go on from ids.
CREATE TABLE webhook_hook (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  -- What it belongs to: owner/name of a repository, the login of an organization, the slug of an app, …
  owner TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  format TEXT NOT NULL,
  -- The one that signs comes first; one with an end is of before a rotation.
  secrets TEXT NOT NULL,
  verify_tls INTEGER NOT NULL,
  active INTEGER NOT NULL,
  events TEXT NOT NULL,
  options TEXT NOT NULL,
  -- Since when every attempt has failed.
  failing_since INTEGER,
  disabled_reason TEXT,
  last_response TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- A deleted one stays until it has been told of that.
  deleted_at INTEGER
) STRICT;
CREATE INDEX webhook_hook_by_target ON webhook_hook (kind, owner) WHERE deleted_at IS NULL;

-- One row: goes up with each change of a hook, so that nobody reads all hooks in vain.
CREATE TABLE webhook_hook_version (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_hook_version VALUES (1, 0);

CREATE TABLE webhook_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  guid TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  action TEXT,
  -- Absent when it is over the limit of what is sent to anybody.
  payload TEXT,
  bytes INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  repository TEXT,
  repository_id INTEGER,
  organization TEXT,
  enterprise TEXT,
  installation_id INTEGER,
  -- Of an event that is meant for one hook: ping, meta.
  hook_id INTEGER,
  -- No messages have been made of it yet.
  is_new INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_event_new ON webhook_event (id) WHERE is_new = 1;
CREATE INDEX webhook_event_by_time ON webhook_event (occurred_at);

CREATE TABLE webhook_message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL REFERENCES webhook_event (id) ON DELETE CASCADE,
  hook_id INTEGER NOT NULL REFERENCES webhook_hook (id) ON DELETE CASCADE,
  -- waiting, sending, delivered, dead (given up) or dropped (too large).
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  -- Under which lease it is being sent.
  epoch INTEGER,
  redelivery INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- Why it is dead or was dropped.
  reason TEXT
) STRICT;
CREATE INDEX webhook_message_waiting ON webhook_message (hook_id, due_at, id) WHERE state = 'waiting';
CREATE INDEX webhook_message_in_order ON webhook_message (hook_id, id) WHERE state = 'waiting';
CREATE INDEX webhook_message_sending ON webhook_message (epoch) WHERE state = 'sending';
CREATE INDEX webhook_message_lost ON webhook_message (hook_id, id) WHERE state IN ('dead', 'dropped');
CREATE INDEX webhook_message_by_event ON webhook_message (event_id, hook_id);
CREATE INDEX webhook_message_by_hook ON webhook_message (hook_id, id);

CREATE TABLE webhook_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES webhook_message (id) ON DELETE CASCADE,
  hook_id INTEGER NOT NULL,
  delivered_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  status TEXT NOT NULL,
  status_code INTEGER,
  url TEXT NOT NULL,
  request_headers TEXT NOT NULL,
  response_headers TEXT,
  response_body TEXT,
  response_cut INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_delivery_by_hook ON webhook_delivery (hook_id, id);
CREATE INDEX webhook_delivery_by_message ON webhook_delivery (message_id);

-- How many times a run was begun anew is told with each of its events.
CREATE INDEX event_retried ON event (run_key) WHERE type = 'run.retried';
`;

/**
 * Incoming webhooks: receivers, received requests, and their outcome for each workflow. Times are epoch milliseconds.
 * Never edit a released migration; add a new one.
 */
export const webhooksInSql = /* sql */ `
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
