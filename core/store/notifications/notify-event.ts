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
  readonly root_dag: string | null;
  readonly root_run_id: string | null;
}

const runSql = /* sql */ `
  SELECT dag, run_id,
    (SELECT root.dag FROM run root WHERE root.key = run.root_key) AS root_dag,
    (SELECT root.run_id FROM run root WHERE root.key = run.root_key) AS root_run_id
  FROM run WHERE key = ?`;

/** Stores what a run event means for the notification rules: a failure, a recovery, or a request for approval. */
export function saveRunNotification(database: Database, runKey: number, at: number, event: RunEvent): void {
  if (!isReported(event) || !hasChannels(database)) return;
  const known = findReported(database);
  const reported = known === undefined ? deferReported(database, runKey, [event], true)() : known.get(runKey);
  if (reported === undefined) return;
  const { run } = reported;
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
  const found = judgeEnd(event, reported);
  if (counted.has(event.status))
    for (const { run: other, ended } of known?.values() ?? [])
      if (other.dag === run.dag) ended.unshift(event.status);
  if (found !== undefined) notifyEvent(database, { ...found, workflow: run.dag, runId: run.run_id, at });
}

type ReportedEvent = Extract<RunEvent, { type: 'run.finished' | 'step.approval_requested' }>;

const isReported = (event: RunEvent): event is ReportedEvent =>
  event.type === 'run.finished' || event.type === 'step.approval_requested';

/** What notifications contain of a run. */
interface ReportedRun {
  readonly run: RunRow;
  /** Statuses of the ended runs of its workflow, except this one, newest first. */
  readonly ended: RunStatus[];
  /** Whether this run had failed before it was retried. */
  readonly hadFailed: boolean;
}

const reportedName = 'runs that notifications report';

const findReported = (database: Database): ReadonlyMap<number, ReportedRun> | undefined =>
  database.readOnce<ReadonlyMap<number, ReportedRun> | undefined>(reportedName, () => undefined);

/**
 * Reads what notifications contain of the runs of a transaction, before its first write, so that a server need not read
 * what the transaction has written. SQLite reads it after each write.
 */
export function readNotifiedRuns(
  database: Database,
  batches: readonly { readonly runKey: number; readonly events: readonly { readonly event: RunEvent }[] }[],
): void {
  let found: ReadonlyMap<number, ReportedRun> | undefined;
  database.know(reportedName, () => (found ??= readRuns(database, batches)));
  findReported(database);
}

/** The transaction reads the rows from now on, because a part of it was rolled back. */
export const forgetNotifiedRuns = (database: Database): void => database.know(reportedName, () => undefined);

function readRuns(
  database: Database,
  batches: Parameters<typeof readNotifiedRuns>[1],
): ReadonlyMap<number, ReportedRun> {
  const events = new Map<number, ReportedEvent[]>();
  for (const { runKey, events: all } of batches)
    for (const { event } of all)
      if (isReported(event)) events.set(runKey, [...(events.get(runKey) ?? []), event]);
  if (events.size === 0 || !hasChannels(database)) return new Map();
  const deferred = [...events].map(
    ([key, reported]) => [key, deferReported(database, key, reported, false)] as const,
  );
  return new Map(
    deferred.flatMap(([key, read]) => {
      const run = read();
      return run === undefined ? [] : [[key, run] as const];
    }),
  );
}

/** @param isStored whether the end of the run is stored */
function deferReported(
  database: Database,
  runKey: number,
  events: readonly ReportedEvent[],
  isStored: boolean,
): () => ReportedRun | undefined {
  const hasEnded = events.some(({ type }) => type === 'run.finished');
  const runs = database.defer<RunRow>(runSql, runKey);
  const ended = hasEnded ? database.defer<{ status: RunStatus }>(endedSql, runKey, runKey) : () => [];
  const ends = hasEnded ? database.defer<{ data: string }>(endSql, runKey, isStored ? 1 : 0) : () => [];
  return () => {
    const [run] = runs();
    const [previous] = ends();
    return (
      run && {
        run,
        ended: ended().map(({ status }) => status),
        hadFailed:
          previous !== undefined && (JSON.parse(previous.data) as { status: RunStatus }).status === 'failed',
      }
    );
  };
}

function judgeEnd(
  { status, error }: Extract<RunEvent, { type: 'run.finished' }>,
  { ended, hadFailed }: ReportedRun,
): Pick<NotificationEvent, 'type' | 'detail' | 'failures'> | undefined {
  if (status !== 'failed' && status !== 'succeeded') return undefined;
  const before = countFailures(ended);
  if (status === 'failed')
    return { type: 'run.failed', detail: error ?? 'The run failed.', failures: before + 1 };
  const failures = before + (hadFailed ? 1 : 0);
  if (failures === 0) return undefined;
  const count = failures === 1 ? 'a failed run' : `${failures} failed runs`;
  return { type: 'run.recovered', detail: `The run succeeded after ${count}.`, failures };
}

/** Ends that count; `endedSql` selects them too. */
const counted: ReadonlySet<RunStatus> = new Set<RunStatus>(['failed', 'succeeded', 'partially_succeeded']);

/** Most earlier runs that are read. */
const maxFailures = 100;

const endedSql = /* sql */ `
  SELECT status FROM run
  WHERE dag = (SELECT dag FROM run WHERE key = ?) AND is_sub = 0 AND finished_at IS NOT NULL AND key <> ?
    AND status IN ('failed', 'succeeded', 'partially_succeeded')
  ORDER BY finished_at DESC, key DESC LIMIT ${maxFailures}`;

/** Counts the failed runs in a row before this one. Stopped runs do not count. */
function countFailures(ended: readonly RunStatus[]): number {
  const success = ended.findIndex((status) => status !== 'failed');
  return success === -1 ? ended.length : success;
}

const endSql = /* sql */ `
  SELECT data FROM event WHERE run_key = ? AND type = 'run.finished' ORDER BY id DESC LIMIT 1 OFFSET ?`;
