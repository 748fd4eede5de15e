/**
 * The processes that drive runs, and the holders of exclusive services. Times are epoch milliseconds. Never edit a
 * released migration; add a new one.
 */
export const sql = /* sql */ `
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
