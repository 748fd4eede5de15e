/**
 * An index for the outcomes of a time range, which covers counts and durations. A run is in it from its end on. For SQLite
 * and PostgreSQL. Never edit a released migration; add a new one.
 */
export const runOutcomesSql = /* sql */ `
CREATE INDEX run_by_outcome ON run (is_sub, created_at, status, started_at, finished_at)
  WHERE finished_at IS NOT NULL;
`;
