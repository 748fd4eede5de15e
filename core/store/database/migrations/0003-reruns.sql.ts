/**
 * Steps that begin anew in a run that goes on after its end.
 * Never edited once released: a change is a new migration.
 */
export const sql = /* sql */ `
-- While it is set the row stands for a step that has not started, whatever its status says; its attempts
-- and sub-runs stay.
ALTER TABLE step ADD COLUMN reset_at INTEGER;
`;
