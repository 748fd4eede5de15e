import type { RunEvent } from '../../model/run/run-event.ts';
import type { Database } from '../database/database.ts';

/** How a step has ended without a manual change since its run started, or was retried, with it. */
interface StepFinalStatus {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Earlier events belong to an earlier execution of the step. Epoch milliseconds. */
  readonly since: number;
  readonly event: Extract<RunEvent, { readonly type: 'step.finished' | 'step.ended' }>;
}

type StepKey = readonly [runKey: number, section: 'step', name: string];

interface Row {
  readonly type: 'step.finished' | 'step.ended' | 'run.retried';
  readonly at: number;
  readonly data: string;
}

const historySql = /* sql */ `
  SELECT type, at, data FROM event WHERE run_key = ? AND (
    (type IN ('step.finished', 'step.ended') AND json_extract(data, '$.node.section') = ?
      AND json_extract(data, '$.node.name') = ?)
    OR (type = 'run.retried' AND EXISTS (SELECT 1 FROM json_each(json_extract(data, '$.steps')) WHERE value = ?)))
  ORDER BY id DESC`;

/** Returns the newest end of a step; undefined when it has not ended without a manual change since it was reset. */
export function findRecordedEnd(database: Database, key: StepKey): StepFinalStatus | undefined {
  const rows = database.all<Row>(historySql, ...key, key[2]);
  const [newest] = rows;
  if (newest === undefined || newest.type === 'run.retried') return undefined;
  const since = rows.find(({ type }) => type === 'run.retried')?.at ?? 0;
  const event = { type: newest.type, ...(JSON.parse(newest.data) as object) } as StepFinalStatus['event'];
  return { at: newest.at, since, event };
}

/** Restores that end in the row of the step, as it was before any manual change. */
export function restoreEnd(database: Database, key: StepKey, { at, since, event }: StepFinalStatus): void {
  const { status, exitCode, output } = event;
  database.run(
    /* sql */ `
    UPDATE step SET status = ?, reset_at = NULL, finished_at = ?, exit_code = ?, signal = ?, error = ?,
      output_name = ?, output_value = ?,
      started_at = coalesce(started_at, (SELECT min(started_at) FROM attempt WHERE attempt.run_key = step.run_key
        AND attempt.section = step.section AND attempt.name = step.name AND attempt.started_at >= ?))
    WHERE run_key = ? AND section = ? AND name = ?`,
    status,
    at,
    exitCode ?? null,
    event.type === 'step.finished' ? (event.signal ?? null) : null,
    (event.type === 'step.finished' ? event.error : event.reason) ?? null,
    output?.name ?? null,
    output === undefined ? null : JSON.stringify(output.value),
    since,
    ...key,
  );
}
