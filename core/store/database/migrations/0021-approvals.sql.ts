/**
 * Questions of steps that wait for a person's answer. Times are epoch milliseconds; lists and maps are JSON. Whether an
 * unanswered question is still open depends on its attempt. For SQLite. Never edit a released migration; add a new one.
 */
export const sql = /* sql */ `
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
