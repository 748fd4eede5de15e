/** Steps that run again in a retried run. Never edit a released migration; add a new one. */
export const sql = /* sql */ `
-- While it is set the row stands for a step that has not started, whatever its status says; its attempts
-- and sub-runs stay.
ALTER TABLE step ADD COLUMN reset_at INTEGER;
`;
