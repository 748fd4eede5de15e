import type { NotificationEvent } from '../../model/notification.ts';
import type { RunEvent } from '../../model/run-event.ts';
import type { RunStatus } from '../../model/run.ts';
import type { Database } from '../database/database.ts';

/**
 * Stores an event for the notification rules. Call it inside the transaction that changes the state it reports, so that
 * both are stored or neither. Stores nothing while there are no channels.
 */
export function notifyEvent(database: Database, event: NotificationEvent): void {
  if (!hasChannels(database)) return;
  const { type, workflow, runId = null, at, detail = null, failures = 1, key = null } = event;
  database.run(
    /* sql */ `
    INSERT INTO notification_event (type, dag, run_id, at, detail, failures, event_key, is_new)
    VALUES (?, ?, ?, ?, ?, ?, ?, 1)
    ON CONFLICT (event_key) DO NOTHING`,
    type,
    workflow,
    runId,
    at,
    detail,
    failures,
    key,
  );
}

/** Whether there are channels. Checked once for all runs of a commit: writers take turns, so none can be added meanwhile. */
export const hasChannels = (database: Database): boolean =>
  database.readOnce(channelsName, () => database.get(channelsSql) !== undefined);

const channelsName = 'notification channels';

/** Checks with the next statement whether there are channels. */
export function deferChannels(database: Database): void {
  const rows = database.defer(channelsSql);
  database.know(channelsName, () => rows().length > 0);
}

/** For a transaction on the condition that there are no channels. */
export const assumeNoChannels = (database: Database): void => database.know(channelsName, () => false);

export const channelsSql =
  'SELECT 1 AS found FROM webhook_hook WHERE channel IS NOT NULL AND deleted_at IS NULL LIMIT 1';

interface RunRow {
  readonly dag: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly error: string | null;
  readonly root_dag: string | null;
  readonly root_run_id: string | null;
}

const runSql = /* sql */ `
  SELECT dag, run_id, status, error,
    (SELECT root.dag FROM run root WHERE root.key = run.root_key) AS root_dag,
    (SELECT root.run_id FROM run root WHERE root.key = run.root_key) AS root_run_id
  FROM run WHERE key = ?`;

/** Stores what a run event means for the notification rules: a failure, a recovery, or a request for approval. */
export function saveRunNotification(database: Database, runKey: number, at: number, event: RunEvent): void {
  if (event.type !== 'run.finished' && event.type !== 'step.approval_requested') return;
  if (!hasChannels(database)) return;
  const run = database.get<RunRow>(runSql, runKey);
  if (run === undefined) return;
  if (event.type === 'step.approval_requested')
    return notifyEvent(database, {
      type: 'run.waiting',
      workflow: run.root_dag ?? run.dag,
      runId: run.root_run_id ?? run.run_id,
      at,
      detail: `Step "${event.node.name}" asks: ${event.question}`,
    });
  // The calling run reports a sub-run.
  if (run.root_dag !== null) return;
  const found = judgeEnd(database, runKey, run, event.status);
  if (found !== undefined) notifyEvent(database, { ...found, workflow: run.dag, runId: run.run_id, at });
}

function judgeEnd(
  database: Database,
  runKey: number,
  { dag, error }: RunRow,
  status: RunStatus,
): Pick<NotificationEvent, 'type' | 'detail' | 'failures'> | undefined {
  if (status !== 'failed' && status !== 'succeeded') return undefined;
  const before = countFailures(database, dag, runKey);
  if (status === 'failed')
    return { type: 'run.failed', detail: error ?? 'The run failed.', failures: before + 1 };
  const failures = before + (wasRetriedAfterFailure(database, runKey) ? 1 : 0);
  if (failures === 0) return undefined;
  const count = failures === 1 ? 'a failed run' : `${failures} failed runs`;
  return { type: 'run.recovered', detail: `The run succeeded after ${count}.`, failures };
}

/** Most earlier runs that are read. */
const maxFailures = 100;

const endedSql = /* sql */ `
  SELECT status FROM run WHERE dag = ? AND is_sub = 0 AND finished_at IS NOT NULL AND key <> ?
    AND status IN ('failed', 'succeeded', 'partially_succeeded')
  ORDER BY finished_at DESC, key DESC LIMIT ${maxFailures}`;

/** Counts the failed runs in a row before this one. Stopped runs do not count. */
function countFailures(database: Database, dag: string, runKey: number): number {
  const ended = database.all<{ status: RunStatus }>(endedSql, dag, runKey);
  const success = ended.findIndex(({ status }) => status !== 'failed');
  return success === -1 ? ended.length : success;
}

/** Whether this run had failed before it was retried. */
const wasRetriedAfterFailure = (database: Database, runKey: number): boolean => {
  const [, previous] = database.all<{ data: string }>(
    "SELECT data FROM event WHERE run_key = ? AND type = 'run.finished' ORDER BY id DESC LIMIT 2",
    runKey,
  );
  return previous !== undefined && (JSON.parse(previous.data) as { status: RunStatus }).status === 'failed';
};
