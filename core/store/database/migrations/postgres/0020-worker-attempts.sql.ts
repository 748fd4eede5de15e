/**
 * Which worker makes an attempt or an item, since when, and why one waits for a worker. Runs that were held back because
 * there were no workers wait like every other: their steps do the waiting. For PostgreSQL. Never edited once released: a
 * change is a new migration.
 */
export const workerAttemptsSql = /* sql */ `
ALTER TABLE attempt ADD COLUMN waiting text COLLATE "C";
ALTER TABLE attempt ADD COLUMN worker text COLLATE "C";
ALTER TABLE attempt ADD COLUMN worker_host text COLLATE "C";
ALTER TABLE attempt ADD COLUMN handed_at bigint;
ALTER TABLE step_item ADD COLUMN worker text COLLATE "C";
ALTER TABLE step_item ADD COLUMN worker_host text COLLATE "C";
ALTER TABLE step_item ADD COLUMN handed_at bigint;
UPDATE queue_item SET worker_selector = NULL, held = NULL, held_at = NULL
  WHERE worker_selector IS NOT NULL OR held IS NOT NULL;
`;
