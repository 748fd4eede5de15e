/** A temporary pause of all schedules of the home. */
export const sql = /* sql */ `
-- At most one row; without one, schedules are served.
CREATE TABLE schedule_pause (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  since INTEGER NOT NULL,
  -- Absent for a pause that lasts until somebody ends it.
  until INTEGER,
  -- Who has asked for it.
  by TEXT NOT NULL
) STRICT;
`;
