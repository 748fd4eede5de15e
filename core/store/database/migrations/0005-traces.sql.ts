/** The trace of a run. Never edit a released migration; add a new one. */
export const sql = /* sql */ `
-- JSON as core/model/run/run-trace.ts has it; none in runs that were created before.
ALTER TABLE run ADD COLUMN trace TEXT;
`;
