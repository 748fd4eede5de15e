/**
 * Counts of finished top-level runs by the quarter of an hour in which they were created: every offset of a time zone is
 * a multiple of it, so that the counts of a day are sums of whole rows. Triggers keep them equal to the table `run` in
 * the transaction that changes it.
 *
 * Existing runs are counted later, in batches from the newest back: `counted_from` is the creation time, in epoch
 * milliseconds, from which on runs are counted; changes of earlier runs change nothing. Never edit a released migration;
 * add a new one.
 */
const tablesSql = (integer: string, options: string): string => /* sql */ `
CREATE TABLE run_outcome_count (
  -- Creation times from this multiple of 15 minutes on.
  quarter ${integer} PRIMARY KEY,
  succeeded ${integer} NOT NULL DEFAULT 0,
  partially_succeeded ${integer} NOT NULL DEFAULT 0,
  failed ${integer} NOT NULL DEFAULT 0,
  aborted ${integer} NOT NULL DEFAULT 0,
  -- Runs that have started, and the sum of their durations in milliseconds.
  timed ${integer} NOT NULL DEFAULT 0,
  spent ${integer} NOT NULL DEFAULT 0
)${options};
-- One row.
CREATE TABLE run_outcome_progress (
  key ${integer} PRIMARY KEY CHECK (key = 1),
  counted_from ${integer} NOT NULL
)${options};
INSERT INTO run_outcome_progress
  SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM run) THEN 9007199254740991 ELSE -9007199254740991 END;
`;

const quarterMs = 900_000;
const statuses = ['succeeded', 'partially_succeeded', 'failed', 'aborted'] as const;

/** Adds a row of `run` to the counts, or removes it. A trigger must not use UPSERT: `INSERT OR IGNORE` overrides it. */
const changeSql = (row: 'NEW' | 'OLD', sign: '+' | '-'): string => {
  const quarter = `${row}.created_at / ${quarterMs}`;
  const isCounted = `${row}.is_sub = 0 AND ${row}.finished_at IS NOT NULL
    AND ${row}.created_at >= (SELECT counted_from FROM run_outcome_progress)`;
  const counts = statuses.map((status) => `${status} = ${status} ${sign} (${row}.status = '${status}')`);
  return /* sql */ `
  INSERT OR IGNORE INTO run_outcome_count (quarter) SELECT ${quarter} WHERE ${isCounted};
  UPDATE run_outcome_count SET ${counts.join(', ')}, timed = timed ${sign} (${row}.started_at IS NOT NULL),
    spent = spent ${sign} coalesce(${row}.finished_at - ${row}.started_at, 0)
    WHERE quarter = ${quarter} AND ${isCounted};`;
};
export const dropEmptySql = /* sql */ `
  DELETE FROM run_outcome_count WHERE quarter = OLD.created_at / ${quarterMs}
    AND succeeded + partially_succeeded + failed + aborted = 0;`;
const columns = 'status, created_at, started_at, finished_at, is_sub';

export const runOutcomeCountsSql = /* sql */ `${tablesSql('INTEGER', ' STRICT')}
CREATE TRIGGER run_outcome_insert AFTER INSERT ON run WHEN NEW.finished_at IS NOT NULL
BEGIN ${changeSql('NEW', '+')}
END;
CREATE TRIGGER run_outcome_update AFTER UPDATE OF ${columns} ON run
  WHEN OLD.finished_at IS NOT NULL OR NEW.finished_at IS NOT NULL
BEGIN ${changeSql('OLD', '-')} ${changeSql('NEW', '+')} ${dropEmptySql}
END;
CREATE TRIGGER run_outcome_delete AFTER DELETE ON run WHEN OLD.finished_at IS NOT NULL
BEGIN ${changeSql('OLD', '-')} ${dropEmptySql}
END;
`;

const countColumns = ['quarter', ...statuses, 'timed', 'spent'];

/** Adds rows of `run` to the counts; one change for each quarter, because a row that changes often becomes slow. */
export const serverChangeSql = (rows: string, sign: '' | '-'): string => /* sql */ `
  INSERT INTO run_outcome_count (${countColumns.join(', ')})
  SELECT created_at / ${quarterMs},
    ${statuses.map((status) => `${sign}count(*) FILTER (WHERE status = '${status}')`).join(', ')},
    ${sign}count(started_at), ${sign}coalesce(sum(finished_at - started_at), 0)
  FROM ${rows} WHERE is_sub = 0 AND finished_at IS NOT NULL
    AND created_at >= (SELECT counted_from FROM run_outcome_progress)
  GROUP BY created_at / ${quarterMs}
  ON CONFLICT (quarter) DO UPDATE SET ${countColumns
    .slice(1)
    .map((name) => `${name} = run_outcome_count.${name} + excluded.${name}`)
    .join(', ')};`;

export const runOutcomeCountsServerSql = /* sql */ `${tablesSql('bigint', '')}
CREATE FUNCTION count_inserted_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN ${serverChangeSql('inserted', '')}
  RETURN NULL;
END
$$;
CREATE FUNCTION count_changed_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN ${serverChangeSql('(SELECT OLD.*) AS before', '-')}
  IF TG_OP = 'UPDATE' THEN ${serverChangeSql('(SELECT NEW.*) AS after', '')}
  END IF; ${dropEmptySql}
  RETURN NULL;
END
$$;
CREATE TRIGGER run_outcome_insert AFTER INSERT ON run REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
  EXECUTE FUNCTION count_inserted_runs();
CREATE TRIGGER run_outcome_update AFTER UPDATE OF ${columns} ON run FOR EACH ROW
  WHEN (OLD.finished_at IS NOT NULL OR NEW.finished_at IS NOT NULL) EXECUTE FUNCTION count_changed_run();
CREATE TRIGGER run_outcome_delete AFTER DELETE ON run FOR EACH ROW WHEN (OLD.finished_at IS NOT NULL)
  EXECUTE FUNCTION count_changed_run();
`;
