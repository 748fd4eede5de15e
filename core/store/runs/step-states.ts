import type { NodeId } from '../../model/run/run-event.ts';
import type { StepStatus } from '../../model/run/status.ts';
import type { StepState } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';

export const stepStatesSql = /* sql */ `
  SELECT section, name, CASE WHEN reset_at IS NULL THEN status ELSE 'not_started' END AS status FROM step WHERE run_key = ?`;

interface StateRow {
  readonly section: NodeId['section'];
  readonly name: string;
  readonly status: StepStatus;
}

export const listStepStates = (database: Database, runKeys: readonly number[]): StepState[] =>
  database.read(() =>
    runKeys.flatMap((runKey) =>
      database
        .all<StateRow>(stepStatesSql, runKey)
        .map(({ section, name, status }) => ({ runKey, node: { section, name }, status })),
    ),
  );
