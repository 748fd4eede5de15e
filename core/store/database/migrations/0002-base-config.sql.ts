/**
 * The base configuration that a run was created with, and an index for finding old runs to remove. Never edit a
 * released migration; add a new one.
 */
export const sql = /* sql */ `
-- Texts of base configurations are kept beside those of workflows, each once.
ALTER TABLE run ADD COLUMN base_key INTEGER REFERENCES spec (key);
CREATE INDEX run_by_base ON run (base_key) WHERE base_key IS NOT NULL;
CREATE INDEX run_by_end ON run (dag, finished_at) WHERE is_sub = 0 AND finished_at IS NOT NULL;
`;
