/**
 * The trace that a run belongs to.
 * Never edited once released: a change is a new migration.
 */
export const sql = /* sql */ `
-- JSON as core/model/run/run-trace.ts has it; none in runs that were created before.
ALTER TABLE run ADD COLUMN trace TEXT;
`;
