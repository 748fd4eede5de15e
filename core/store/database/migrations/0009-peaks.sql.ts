/** Never edit a released migration; add a new one. */
export const sql = /* sql */ `
-- The most that the processes of a run used at one time: percent of all cores, and bytes.
ALTER TABLE run ADD COLUMN peak_cpu REAL;
ALTER TABLE run ADD COLUMN peak_memory INTEGER;
`;
