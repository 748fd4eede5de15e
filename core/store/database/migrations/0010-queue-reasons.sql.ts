/**
 * Stored reasons why runs wait, and runs that need a worker. All times are epoch milliseconds. Never edit a released
 * migration; add a new one.
 */
export const sql = /* sql */ `
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
