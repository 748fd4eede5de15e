/**
 * The tags of runs. The tags of existing runs are not filled in, because only the engine can parse workflow sources.
 * Never edit a released migration; add a new one.
 */
export const sql = /* sql */ `
-- The tags of its workflow when the run was created; level and time as in its run, so that one index finds a page.
CREATE TABLE run_tag (
  run_key INTEGER NOT NULL REFERENCES run (key) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  is_sub INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (run_key, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_tag_by_tag ON run_tag (tag, is_sub, created_at);
`;
