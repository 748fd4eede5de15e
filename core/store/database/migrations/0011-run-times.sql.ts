/** An index for runs by time. Never edit a released migration; add a new one. */
export const sql = /* sql */ `
-- Ends in the row's key, like every index of lists; a clock that is set makes the order of keys another one.
CREATE INDEX run_by_created ON run (is_sub, created_at);
`;
