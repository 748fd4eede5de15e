import type { NewTask, TaskRecord } from '../../store/types/dispatch.ts';
import { writeLabels, endedStates, taskColumns, toTask, type TaskRow } from './rows.ts';
import { type Statement, type PostgresContext, now, notify } from './postgres-connection.ts';

/** Locks the runs, so that none is taken over between the epoch check and the commit. */
const offerSql: Statement = {
  name: 'dispatch_offer',
  text: /* sql */ `
    WITH given AS (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::bigint[], $9::text[], $10::text[]) WITH ORDINALITY
        AS given (key, run_key, run_epoch, dag, run_id, step, selector, priority, place, payload, n)
    ), owned AS MATERIALIZED (
      SELECT run.key, run.epoch FROM run
      WHERE run.key IN (SELECT run_key FROM given WHERE run_epoch IS NOT NULL) ORDER BY run.key FOR SHARE
    ), added AS (
      INSERT INTO task (key, run_key, dag, run_id, step, selector, priority, state, offered_at, place, payload)
      SELECT key, run_key, dag, run_id, step, ARRAY(SELECT json_array_elements_text(selector::json)), priority,
        'ready', ${now}, place, payload
      FROM given
      WHERE run_epoch IS NULL
        OR EXISTS (SELECT 1 FROM owned WHERE owned.key = given.run_key AND owned.epoch = given.run_epoch)
      ORDER BY n
      ON CONFLICT (key) DO NOTHING RETURNING 1
    )
    SELECT count(*), ${notify('offered')} FROM added HAVING count(*) > 0`,
};

/** Implements `DispatchStore.offer`. */
export async function offer({ connection }: PostgresContext, tasks: readonly NewTask[]): Promise<void> {
  if (tasks.length === 0) return;
  const column = <Value>(read: (task: NewTask) => Value): Value[] => tasks.map(read);
  await connection.query(
    offerSql,
    column(({ key }) => key),
    column(({ runKey }) => runKey),
    column(({ runEpoch }) => runEpoch ?? null),
    column(({ run }) => run.name),
    column(({ run }) => run.dagRunId),
    column(({ step }) => step),
    column(({ selector }) => JSON.stringify(writeLabels(selector))),
    column(({ priority }) => priority),
    column(({ attemptDir }) => attemptDir),
    column(({ payload }) => payload),
  );
}

const findSql: Statement = {
  name: 'dispatch_find',
  text: `SELECT ${taskColumns} FROM task WHERE key = ANY ($1::text[])`,
};
const findChangedSql: Statement = {
  name: 'dispatch_find_changed',
  text: `${findSql.text} AND (begun_at IS NOT NULL OR state IN ${endedStates})`,
};

/** Implements `DispatchStore.find`. */
export const find = async ({ connection }: PostgresContext, keys: readonly string[]): Promise<TaskRecord[]> =>
  (await connection.query<TaskRow>(findSql, keys)).map(toTask);

/** Implements `DispatchStore.findChanged`. */
export const findChanged = async (
  { connection }: PostgresContext,
  keys: readonly string[],
): Promise<TaskRecord[]> => (await connection.query<TaskRow>(findChangedSql, keys)).map(toTask);

/** Ends unconfirmed tasks and requests cancellation of the others. The state under the lock decides. */
const cancelSql: Statement = {
  name: 'dispatch_cancel',
  text: /* sql */ `
    WITH locked AS (
      SELECT key, state FROM task WHERE key = ANY ($1::text[]) AND (state = 'ready' OR state IN ('claimed', 'running'))
      ORDER BY key FOR UPDATE
    ), withdrawn AS (
      UPDATE task SET state = 'cancelled', fence = fence + 1, ended_at = ${now}, cancel = $2
      FROM locked WHERE task.key = locked.key AND locked.state <> 'running' RETURNING 1
    ), asked AS (
      UPDATE task SET cancel = $2
      FROM locked WHERE task.key = locked.key AND locked.state = 'running'
        AND (task.cancel IS NULL OR (task.cancel = 'stop' AND $2 = 'kill')) RETURNING 1
    )
    SELECT ${notify('changed')} FROM withdrawn
    UNION ALL SELECT ${notify('cancelled')} FROM asked`,
};

/** Implements `DispatchStore.cancel`. */
export async function cancel(
  { connection }: PostgresContext,
  keys: readonly string[],
  how: 'stop' | 'kill',
): Promise<void> {
  await connection.query(cancelSql, keys, how);
}

const abandonSql: Statement = {
  name: 'dispatch_abandon',
  text: /* sql */ `
    WITH locked AS (
      SELECT key FROM task WHERE key = ANY ($1::text[]) AND state = 'running' ORDER BY key FOR UPDATE
    ), lost AS (
      UPDATE task SET state = 'lost', fence = fence + 1, ended_at = ${now}, reason = $2
      FROM locked WHERE task.key = locked.key RETURNING 1
    )
    SELECT ${notify('changed')} FROM lost`,
};

/** Implements `DispatchStore.abandon`. */
export async function abandon(
  { connection }: PostgresContext,
  keys: readonly string[],
  reason: string,
): Promise<void> {
  await connection.query(abandonSql, keys, reason);
}

const forgetSql: Statement = {
  name: 'dispatch_forget',
  text: `DELETE FROM task WHERE key = ANY ($1::text[]) AND state IN ${endedStates}`,
};

/** Implements `DispatchStore.forget`. */
export async function forget({ connection }: PostgresContext, keys: readonly string[]): Promise<void> {
  await connection.query(forgetSql, keys);
}
