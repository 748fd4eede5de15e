import { toIso } from '../../base/clock.ts';
import { type AttemptExit, type NodeId, type RunEvent, stepTransitions } from '../../model/run-event.ts';
import type { StepStatus } from '../../model/run.ts';
import { saveQuestion } from '../approvals.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { illegalEventError } from './events.ts';
import { newStep, type StepEvent, type StepState } from './run-states.ts';
import { closeItems, finishItem, linkItem, startItem } from './step-items.ts';

type EventOf<Type extends StepEvent['type']> = Extract<StepEvent, { type: Type }>;

export const stepStateSql = /* sql */ `
  SELECT CASE WHEN reset_at IS NULL THEN status ELSE 'not_started' END AS status, attempt, (SELECT finished_at IS NULL FROM attempt WHERE attempt.run_key = step.run_key
    AND attempt.section = step.section AND attempt.name = step.name AND attempt.attempt = step.attempt) AS is_open
  FROM step WHERE run_key = ? AND section = ? AND name = ?`;

/**
 * Changes the rows of a step according to the event. Throws `BatchRefused` when its state does not allow it.
 * @param run.step its state before
 */
export function applyStepEvent(
  database: Database,
  { runKey, step: state }: { readonly runKey: number; readonly step: StepState },
  at: number,
  event: StepEvent,
): void {
  const stepKey = [runKey, event.node.section, event.node.name] as const;
  const allowed: readonly StepStatus[] = stepTransitions[event.type];
  if (!allowed.includes(state.status)) {
    throw illegalEventError(
      `${formatNode(event.node)} is ${state.status}, which does not allow ${event.type}`,
    );
  }
  switch (event.type) {
    case 'step.started':
      return start(database, stepKey, state, { at, event });
    case 'step.spawned':
      return recordProcess(database, stepKey, state, event);
    case 'step.waiting':
      requireOpen(state, event);
      return recordWaiting(database, [...stepKey, event.attempt], event.reason);
    case 'step.dispatched':
      requireOpen(state, event);
      return assignStep(database, [...stepKey, event.attempt], at, event);
    case 'step.approval_requested':
      requireOpen(state, event);
      return saveQuestion(database, runKey, at, event);
    case 'step.sub_run':
      return recordSubRun(database, stepKey, state, event);
    case 'step.item_started':
      requireOpen(state, event);
      return startItem(database, [...stepKey, event.attempt], at, event);
    case 'step.item_finished':
      requireOpen(state, event);
      return finishItem(database, [...stepKey, event.attempt], at, event);
    case 'step.repeat_scheduled':
      return scheduleRepeat(database, stepKey, state, { at, event });
    case 'step.retry_scheduled':
      return scheduleRetry(database, stepKey, state, { at, event });
    case 'step.finished':
      return finish(database, stepKey, state, { at, event });
    case 'step.ended':
      return settle(database, stepKey, state, { at, event });
  }
}

/** Run key, section and name: the step's primary key. */
type StepKey = readonly [number, NodeId['section'], string];
interface TimedEvent<Type extends StepEvent['type']> {
  readonly at: number;
  readonly event: EventOf<Type>;
}

interface StateRow {
  readonly status: StepStatus;
  readonly attempt: number;
  readonly is_open: number | null;
}

/** Reads the state of a step with the next statement. */
export function deferStepState(database: Database, runKey: number, node: NodeId): () => StepState {
  const rows = database.defer<StateRow>(stepStateSql, runKey, node.section, node.name);
  return () => {
    const [row] = rows();
    if (row === undefined) return newStep;
    return { status: row.status, attempt: row.attempt, isOpen: row.is_open === 1 };
  };
}

const formatNode = (node: NodeId): string => `${node.section} ${JSON.stringify(node.name)}`;

/** Starts an attempt. A second one while the first has not ended would run the step twice. */
function start(
  database: Database,
  key: StepKey,
  state: StepState,
  { at, event }: TimedEvent<'step.started'>,
): void {
  if (state.isOpen)
    throw illegalEventError(`attempt ${state.attempt} of ${formatNode(event.node)} has not ended`);
  if (event.attempt <= state.attempt)
    throw illegalEventError(`attempt ${event.attempt} of ${formatNode(event.node)} already exists`);
  database.run(
    /* sql */ `
    INSERT INTO step (run_key, section, name, status, attempt, started_at) VALUES (?, ?, ?, 'running', ?, ?)
    ON CONFLICT (run_key, section, name) DO UPDATE SET status = 'running', attempt = excluded.attempt, error = NULL,
      started_at = coalesce(step.started_at, excluded.started_at), reset_at = NULL`,
    ...key,
    event.attempt,
    at,
  );
  database.run(
    'INSERT INTO attempt (run_key, section, name, attempt, dir, started_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...key,
    event.attempt,
    event.dir,
    at,
  );
}

function recordProcess(
  database: Database,
  key: StepKey,
  state: StepState,
  event: EventOf<'step.spawned'>,
): void {
  requireOpen(state, event);
  database.run(
    'UPDATE attempt SET pid = ?, pid_start = ? WHERE run_key = ? AND section = ? AND name = ? AND attempt = ?',
    event.pid,
    event.pidStart,
    ...key,
    event.attempt,
  );
}

function recordSubRun(
  database: Database,
  key: StepKey,
  state: StepState,
  event: EventOf<'step.sub_run'>,
): void {
  database.run(
    'INSERT INTO sub_run (run_key, section, name, dag, run_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ...key,
    event.name,
    event.dagRunId,
  );
  if (event.item !== undefined) linkItem(database, [...key, state.attempt], event.item, event);
}

function scheduleRetry(
  database: Database,
  key: StepKey,
  state: StepState,
  { at, event }: TimedEvent<'step.retry_scheduled'>,
): void {
  requireOpen(state, event);
  endAttempt(database, key, at, event);
  updateRunning(database, key, { error: `${formatExit(event)}; retrying at ${toIso(event.dueAt)}` });
}

function scheduleRepeat(
  database: Database,
  key: StepKey,
  state: StepState,
  { at, event }: TimedEvent<'step.repeat_scheduled'>,
): void {
  requireOpen(state, event);
  endAttempt(database, key, at, event);
  updateRunning(database, key, { error: `Repeating at ${toIso(event.dueAt)}` });
}

function finish(
  database: Database,
  key: StepKey,
  state: StepState,
  { at, event }: TimedEvent<'step.finished'>,
): void {
  requireOpen(state, event);
  endAttempt(database, key, at, event);
  updateRunning(database, key, {
    status: event.status,
    finished_at: at,
    signal: event.signal ?? null,
    error: event.error ?? null,
    ...resultColumns(event),
  });
}

const resultColumns = ({ exitCode, output }: EventOf<'step.finished' | 'step.ended'>) => ({
  exit_code: exitCode ?? null,
  output_name: output?.name ?? null,
  output_value: output === undefined ? null : JSON.stringify(output.value),
});

/** Settles a step, also while it waits for its next attempt, or when its process can no longer be found. */
function settle(
  database: Database,
  key: StepKey,
  state: StepState,
  { at, event }: TimedEvent<'step.ended'>,
): void {
  if (state.isOpen) endAttempt(database, key, at, { attempt: state.attempt, error: event.reason });
  if (state.status === 'running') {
    const end = { status: event.status, finished_at: at, error: event.reason };
    return updateRunning(database, key, { ...end, ...resultColumns(event) });
  }
  database.run(
    /* sql */ `
    INSERT INTO step (run_key, section, name, status, attempt, finished_at, error) VALUES (?, ?, ?, ?, 0, ?, ?)
    ON CONFLICT (run_key, section, name) DO UPDATE SET status = excluded.status, finished_at = excluded.finished_at,
      error = excluded.error, reset_at = NULL`,
    ...key,
    event.status,
    at,
    event.reason,
  );
}

function requireOpen(
  state: StepState,
  event: { readonly node: NodeId; readonly attempt: number; type: string },
): void {
  if (state.isOpen && state.attempt === event.attempt) return;
  const now = state.isOpen ? `is in attempt ${state.attempt}` : 'has no active attempt';
  throw illegalEventError(
    `${formatNode(event.node)} ${now}, so ${event.type} of attempt ${event.attempt} is not possible`,
  );
}

function endAttempt(
  database: Database,
  key: StepKey,
  at: number,
  end: AttemptExit & { readonly attempt: number },
): void {
  database.run(
    /* sql */ `
    UPDATE attempt SET waiting = NULL, finished_at = ?, exit_code = ?, signal = ?, error = ?
    WHERE run_key = ? AND section = ? AND name = ? AND attempt = ?`,
    at,
    end.exitCode ?? null,
    end.signal ?? null,
    end.error ?? null,
    ...key,
    end.attempt,
  );
  closeItems(database, [...key, end.attempt], at, end);
}

/** Names the expected state, so that a mismatch is an error and never a wrong row. */
function updateRunning(database: Database, key: StepKey, columns: Record<string, SqlValue>): void {
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  database.runOne(
    () => illegalEventError(`${key[1]} ${JSON.stringify(key[2])} is no longer running`),
    `UPDATE step SET ${assignments.join(', ')} WHERE run_key = ? AND section = ? AND name = ? AND status = 'running'`,
    ...Object.values(columns),
    ...key,
  );
}

function formatExit(end: AttemptExit): string {
  if (end.error !== undefined) return end.error;
  return end.signal === undefined ? `Exit code ${end.exitCode ?? 'unknown'}` : `Terminated by ${end.signal}`;
}

/** Run key, section, name and number of an attempt. */
type AttemptKey = readonly [runKey: number, section: NodeId['section'], name: string, attempt: number];

const whereAttempt = 'run_key = ? AND section = ? AND name = ? AND attempt = ?';

export const recordWaitingSql = `UPDATE attempt SET waiting = ? WHERE ${whereAttempt}`;
/** An attempt with items keeps its first worker. */
export const assignStepSql = /* sql */ `
  UPDATE attempt SET waiting = NULL, worker = coalesce(worker, ?), worker_host = coalesce(worker_host, ?),
    handed_at = coalesce(handed_at, ?) WHERE ${whereAttempt}`;
export const handItemOverSql = /* sql */ `
  UPDATE step_item SET worker = ?, worker_host = ?, handed_at = ? WHERE ${whereAttempt} AND item = ?`;

/** Stores why an attempt, or one of its items, waits for a worker. */
function recordWaiting(database: Database, key: AttemptKey, reason: string): void {
  database.run(recordWaitingSql, reason, ...key);
}

/** Stores which worker has an attempt, or one of its items, from now on. */
function assignStep(
  database: Database,
  key: AttemptKey,
  at: number,
  { worker, host, item }: Extract<RunEvent, { type: 'step.dispatched' }>,
): void {
  database.run(assignStepSql, worker, host, at, ...key);
  if (item !== undefined) database.run(handItemOverSql, worker, host, at, ...key, item);
}
