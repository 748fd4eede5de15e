/**
 * Earlier versions of workflow files, and runs of a part of a workflow. Never edit a released migration; add a new one.
 */
export const sql = /* sql */ `
-- Apart from those of runs, which come and go with the runs.
CREATE TABLE version_text (
  key INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
-- So that the sum of all can be had without reading the texts.
CREATE INDEX version_text_by_size ON version_text (bytes);

-- AUTOINCREMENT: an id that was handed out never comes back for another text.
CREATE TABLE version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  dag TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT,
  renamed_from TEXT,
  restored_from INTEGER,
  text_key INTEGER NOT NULL REFERENCES version_text (key)
) STRICT;
CREATE INDEX version_by_dag ON version (dag);
CREATE INDEX version_by_text ON version (text_key);

-- Names of the steps that a run is of, as a JSON list; NULL for all of its workflow.
ALTER TABLE run ADD COLUMN only_steps TEXT;
`;
