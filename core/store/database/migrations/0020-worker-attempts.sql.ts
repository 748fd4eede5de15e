/**
 * The worker of an attempt or an item, its start time, and why an attempt waits for a worker. Runs that were held back
 * for lack of workers now wait like all others: their steps wait instead. For SQLite. Never edit a released migration;
 * add a new one.
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
