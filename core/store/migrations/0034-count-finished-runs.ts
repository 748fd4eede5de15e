import { dropEmptySql, serverChangeSql } from './0025-run-outcome-counts.ts';

/**
 * The trigger of PostgreSQL that counts finished runs removes the earlier state of a run only when that was counted.
 * Never edit a released migration; add a new one.
 */
export const countFinishedRunsServerSql = /* sql */ `
CREATE OR REPLACE FUNCTION count_changed_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.finished_at IS NOT NULL THEN ${serverChangeSql('(SELECT OLD.*) AS before', '-')}
  END IF;
  IF TG_OP = 'UPDATE' THEN ${serverChangeSql('(SELECT NEW.*) AS after', '')}
  END IF;
  IF OLD.finished_at IS NOT NULL THEN ${dropEmptySql}
  END IF;
  RETURN NULL;
END
$$;
`;
