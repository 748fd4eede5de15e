/**
 * Who has started a run. Of runs of before, nobody knows.
 * Never edited once released: a change is a new migration.
 */
export const sql = /* sql */ `
ALTER TABLE run ADD COLUMN started_by TEXT;
`;
