/**
 * Work for other machines: tasks, the workers that take them, the coordinators that hand them over, and the tokens by
 * which workers join. For PostgreSQL; labels are arrays of `name=value`, times epoch milliseconds by the database's
 * clock. Never edited once released: a change is a new migration.
 */
export const dispatchSql = /* sql */ `
CREATE TABLE task (
  key text COLLATE "C" PRIMARY KEY,
  -- Age: older ones have lower ones.
  id bigint GENERATED ALWAYS AS IDENTITY,
  run_key bigint NOT NULL,
  dag text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  -- Labels that a worker must have.
  selector text[] COLLATE "C" NOT NULL,
  priority bigint NOT NULL,
  state text COLLATE "C" NOT NULL
    CHECK (state IN ('ready', 'claimed', 'running', 'settled', 'lost', 'cancelled')),
  fence bigint NOT NULL DEFAULT 0,
  worker_id text COLLATE "C",
  worker_epoch bigint,
  offered_at bigint NOT NULL,
  claimed_at bigint,
  begun_at bigint,
  ended_at bigint,
  cancel text COLLATE "C" CHECK (cancel IN ('stop', 'kill')),
  result text,
  reason text,
  place text NOT NULL,
  payload text NOT NULL
);
CREATE INDEX task_ready ON task (priority DESC, id) WHERE state = 'ready';
CREATE INDEX task_held ON task (worker_id) WHERE state IN ('claimed', 'running');
CREATE INDEX task_by_run ON task (run_key);

-- Its rows are updated every few seconds: no index but the key, and room in each page, so that an update stays in it (HOT).
CREATE TABLE worker (
  id text COLLATE "C" PRIMARY KEY,
  -- Of its present life; never the same again.
  epoch bigint NOT NULL,
  -- gone: its lease has ended; left: it said so; removed: a person did.
  life text COLLATE "C" NOT NULL CHECK (life IN ('active', 'gone', 'left', 'removed')),
  is_draining bigint NOT NULL DEFAULT 0 CHECK (is_draining IN (0, 1)),
  labels text[] COLLATE "C" NOT NULL,
  slots bigint NOT NULL,
  version text NOT NULL,
  host text NOT NULL,
  pid bigint NOT NULL,
  registered_at bigint NOT NULL,
  beat_at bigint NOT NULL,
  lease_until bigint NOT NULL,
  load double precision,
  free_bytes bigint,
  -- Of one that has joined by a token.
  credential_sha256 text,
  credential_token text,
  credential_labels text[]
) WITH (fillfactor = 50);

CREATE TABLE coordinator (
  id text COLLATE "C" PRIMARY KEY,
  url text NOT NULL,
  version text NOT NULL,
  host text NOT NULL,
  pid bigint NOT NULL,
  started_at bigint NOT NULL,
  beat_at bigint NOT NULL,
  workers bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE join_token (
  id text COLLATE "C" PRIMARY KEY,
  sha256 text COLLATE "C" NOT NULL UNIQUE,
  note text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  labels text[] NOT NULL
);

-- One row.
CREATE TABLE dispatch_fact (
  key bigint PRIMARY KEY CHECK (key = 1),
  -- Results that were refused because their fence was over.
  stale_refused bigint NOT NULL,
  -- No task is taken from a worker before this time.
  reaping_from bigint NOT NULL,
  -- The highest epoch of workers that have been forgotten.
  last_epoch bigint NOT NULL,
  -- When the server was started under which reaping_from was set.
  database_start timestamptz
);
INSERT INTO dispatch_fact VALUES (1, 0, 0, 0, NULL);
`;
