/**
 * Which worker makes an attempt or an item, since when, and why one waits for a worker. Runs that were held back because
 * there were no workers wait like every other: their steps do the waiting. For SQLite. Never edited once released: a
 * change is a new migration.
 */
export const sql = /* sql */ `
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
