/**
 * The worker of an attempt or an item, its start time, and why an attempt waits for a worker. Runs that were held back
 * for lack of workers now wait like all others: their steps wait instead. For PostgreSQL. Never edit a released
 * migration; add a new one.
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
