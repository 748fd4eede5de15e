/** Who has started a run; unknown for existing runs. Never edit a released migration; add a new one. */
export const sql = /* sql */ `
ALTER TABLE run ADD COLUMN started_by TEXT;
`;
