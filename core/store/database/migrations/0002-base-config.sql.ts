/**
 * The base configuration a run was created over, and the way to the runs that are old enough to be removed.
 * Never edited once released: a change is a new migration.
 */
export const sql = /* sql */ `
-- Texts of base configurations are kept beside those of workflows, each once.
ALTER TABLE run ADD COLUMN base_key INTEGER REFERENCES spec (key);
CREATE INDEX run_by_base ON run (base_key) WHERE base_key IS NOT NULL;
CREATE INDEX run_by_end ON run (dag, finished_at) WHERE is_sub = 0 AND finished_at IS NOT NULL;
`;
