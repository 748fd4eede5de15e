/** The audit trail. Times are epoch milliseconds. Never edit a released migration; add a new one. */
export const sql = /* sql */ `
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
