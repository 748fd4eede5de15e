import type {
  DispatchStore,
  TaskResult,
  CompletionOutcome,
  TaskLease,
  WorkerRef,
  ClaimedTask,
  ClaimRequest,
} from '../../store/types/dispatch.ts';
import { type Statement, type PostgresContext, held, now, requeue, notify } from './postgres-connection.ts';

const releaseSql: Statement = {
  name: 'dispatch_hand_back',
  text: /* sql */ `
    WITH locked AS (
      SELECT task.key FROM task JOIN unnest($1::text[], $2::bigint[]) AS given (key, fence)
        ON task.key = given.key AND task.fence = given.fence
      WHERE task.state = 'claimed' ORDER BY task.key FOR UPDATE OF task
    ), returned AS (
      UPDATE task SET ${requeue} FROM locked WHERE task.key = locked.key RETURNING 1
    )
    SELECT ${notify('offered')} FROM returned`,
};

/** Implements `DispatchStore.release`. */
export async function release({ connection }: PostgresContext, leases: readonly TaskLease[]): Promise<void> {
  if (leases.length === 0) return;
  await connection.query(
    releaseSql,
    leases.map(({ key }) => key),
    leases.map(({ fence }) => fence),
  );
}

/** Locks the worker's row, so that a new registration or removal either precedes this or sees the started tasks. */
const beginSql: Statement = {
  name: 'dispatch_begin',
  text: /* sql */ `
    WITH life AS MATERIALIZED (
      SELECT id FROM worker WHERE id = $1 AND epoch = $2 AND life = 'active' AND lease_until > ${now} FOR SHARE
    ), given AS (
      SELECT * FROM unnest($3::text[], $4::bigint[]) AS given (key, fence)
    ), locked AS (
      SELECT task.key, task.state FROM task JOIN given ON task.key = given.key AND task.fence = given.fence
      WHERE task.${held} AND task.worker_id = $1 AND task.worker_epoch = $2
        AND (task.state = 'running' OR EXISTS (SELECT 1 FROM life))
      ORDER BY task.key FOR UPDATE OF task
    ), begun AS (
      UPDATE task SET state = 'running', begun_at = ${now}
      FROM locked WHERE task.key = locked.key AND locked.state = 'claimed' RETURNING task.key
    )
    SELECT key, ${notify('changed')} FROM begun
    UNION ALL SELECT key, NULL FROM locked WHERE state = 'running'`,
};

/** Implements `DispatchStore.begin`. */
export async function begin(
  { connection }: PostgresContext,
  { id, epoch }: WorkerRef,
  leases: readonly TaskLease[],
): Promise<string[]> {
  if (leases.length === 0) return [];
  const keys = leases.map(({ key }) => key);
  const fences = leases.map(({ fence }) => fence);
  const rows = await connection.query<{ key: string }>(beginSql, id, epoch, keys, fences);
  return rows.map(({ key }) => key);
}

const settleSql: Statement = {
  name: 'dispatch_settle',
  text: /* sql */ `
    WITH written AS (
      UPDATE task SET state = 'settled', result = given.result, ended_at = ${now}
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) WITH ORDINALITY
        AS given (key, fence, worker_id, worker_epoch, result, n)
      WHERE task.key = given.key AND task.fence = given.fence AND task.worker_id = given.worker_id
        AND task.worker_epoch = given.worker_epoch AND task.state = 'running'
      RETURNING given.n
    )
    SELECT n, ${notify('changed')} FROM written`,
};

/** Rejected results: written before, or counted as stale. */
const rejectedSql: Statement = {
  name: 'dispatch_refused',
  text: /* sql */ `
    WITH given AS (
      SELECT given.n, task.key IS NOT NULL AS is_again
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY
        AS given (key, fence, worker_id, result, n)
      LEFT JOIN task ON task.key = given.key AND task.fence = given.fence AND task.state = 'settled'
        AND task.worker_id = given.worker_id AND task.result = given.result
    ), counted AS (
      UPDATE dispatch_fact SET stale_refused = stale_refused + (SELECT count(*) FROM given WHERE NOT is_again)
      WHERE EXISTS (SELECT 1 FROM given WHERE NOT is_again)
    )
    SELECT n FROM given WHERE is_again`,
};

/** A settlement with its index in the call. */
interface Entry {
  readonly settlement: TaskResult;
  readonly index: number;
}

/**
 * Implements `DispatchStore.settle`. Usually one statement; a hold that occurs twice in one call is written by the
 * first.
 */
export async function settle(
  { connection }: PostgresContext,
  taskResults: readonly TaskResult[],
): Promise<CompletionOutcome[]> {
  const outcomes = taskResults.map((): CompletionOutcome => 'stale');
  const entries = taskResults.map((taskResult, index): Entry => ({ settlement: taskResult, index }));
  const first = new Map(entries.toReversed().map((entry) => [leaseKey(entry), entry]));
  const completedRows = await send({ connection }, settleSql, [...first.values()]);
  for (const { index } of completedRows) outcomes[index] = 'settled';
  const refused = entries.filter(({ index }) => outcomes[index] !== 'settled');
  for (const { index } of await send({ connection }, rejectedSql, refused)) outcomes[index] = 'again';
  return outcomes;
}

const leaseKey = ({ settlement: { key, fence, id, epoch } }: Entry): string =>
  JSON.stringify([key, fence, id, epoch]);

/** Returns the entries whose indexes a statement returned. */
async function send(
  { connection }: Pick<PostgresContext, 'connection'>,
  statement: Statement,
  entries: readonly Entry[],
): Promise<Entry[]> {
  if (entries.length === 0) return [];
  const column = <Value>(read: (taskResult: TaskResult) => Value): Value[] =>
    entries.map(({ settlement: taskResult }) => read(taskResult));
  const rows = await connection.query<{ n: number }>(
    statement,
    column(({ key }) => key),
    column(({ fence }) => fence),
    column(({ id }) => id),
    ...(statement === settleSql ? [column(({ epoch }) => epoch)] : []),
    column(({ result }) => result),
  );
  return rows.map(({ n }) => entries[n - 1]!);
}

const heldSql: Statement = {
  name: 'dispatch_held',
  text: /* sql */ `
    SELECT place, dag, run_id, run_key FROM task
    WHERE key = $1 AND fence = $2 AND worker_id = $3 AND worker_epoch = $4 AND state = 'running'`,
};

/** Implements `DispatchStore.findHeld`. */
export async function findHeld(
  { connection }: PostgresContext,
  { id, epoch }: WorkerRef,
  { key, fence }: TaskLease,
): ReturnType<DispatchStore['findHeld']> {
  const [row] = await connection.query<{ place: string; dag: string; run_id: string; run_key: number }>(
    heldSql,
    key,
    fence,
    id,
    epoch,
  );
  return row && { attemptDir: row.place, run: { name: row.dag, dagRunId: row.run_id }, runKey: row.run_key };
}

const cancelsSql: Statement = {
  name: 'dispatch_cancels',
  text: /* sql */ `
    SELECT worker_id, key, cancel FROM task
    JOIN unnest($1::text[], $2::bigint[]) AS given (id, epoch)
      ON task.worker_id = given.id AND task.worker_epoch = given.epoch
    WHERE task.${held} AND task.cancel IS NOT NULL`,
};

interface CancelRow {
  readonly worker_id: string;
  readonly key: string;
  readonly cancel: 'stop' | 'kill';
}

/** Implements `DispatchStore.findCancels`. */
export async function findCancels(
  { connection }: PostgresContext,
  workers: readonly WorkerRef[],
): ReturnType<DispatchStore['findCancels']> {
  if (workers.length === 0) return new Map();
  const rows = await connection.query<CancelRow>(
    cancelsSql,
    workers.map(({ id }) => id),
    workers.map(({ epoch }) => epoch),
  );
  const groups = Map.groupBy(rows, (row) => row.worker_id);
  return new Map(
    [...groups].map(([id, tasks]) => [id, tasks.map((row) => ({ key: row.key, how: row.cancel }))]),
  );
}

/** Active workers with labels that match ready tasks. */
const activeWorkerSql: Statement = {
  name: 'dispatch_lives',
  text: /* sql */ `
    WITH waiting AS MATERIALIZED (SELECT DISTINCT selector FROM task WHERE state = 'ready')
    SELECT worker.id, worker.labels::text AS labels
    FROM unnest($1::text[], $2::bigint[]) AS given (id, epoch)
    JOIN worker ON worker.id = given.id AND worker.epoch = given.epoch
    WHERE worker.life = 'active' AND worker.is_draining = 0 AND worker.lease_until > ${now}
      AND EXISTS (SELECT 1 FROM waiting WHERE waiting.selector <@ worker.labels)`,
};

/**
 * Claims tasks for workers with equal labels. Each has as many seats as free capacity, dealt round-robin; the first
 * ready tasks take them. Only these rows are locked, and rows locked by another claim are skipped.
 */
const claimSql: Statement = {
  name: 'dispatch_claim',
  text: /* sql */ `
    WITH live AS MATERIALIZED (
      SELECT worker.id, worker.epoch, worker.labels, least(given.free, worker.slots) AS free, given.n
      FROM unnest($1::text[], $2::bigint[], $3::int[]) WITH ORDINALITY AS given (id, epoch, free, n)
      JOIN worker ON worker.id = given.id AND worker.epoch = given.epoch
      WHERE worker.life = 'active' AND worker.is_draining = 0 AND worker.lease_until > ${now}
    ), seat AS MATERIALIZED (
      SELECT live.id, live.epoch, row_number() OVER (ORDER BY round, live.n) AS seat
      FROM live CROSS JOIN LATERAL generate_series(1, live.free) AS round
    ), next AS MATERIALIZED (
      SELECT key, priority, id FROM task
      WHERE state = 'ready' AND selector <@ (SELECT labels FROM live LIMIT 1)
      ORDER BY priority DESC, id LIMIT (SELECT count(*) FROM seat) FOR UPDATE SKIP LOCKED
    ), seated AS (
      SELECT next.key, seat.id, seat.epoch
      FROM (SELECT key, row_number() OVER (ORDER BY priority DESC, id) AS seat FROM next) AS next JOIN seat USING (seat)
    ), taken AS (
      UPDATE task SET state = 'claimed', fence = task.fence + 1, worker_id = seated.id, worker_epoch = seated.epoch,
        claimed_at = ${now}
      FROM seated WHERE task.key = seated.key
      RETURNING task.worker_id, task.key, task.fence, task.payload, task.priority, task.id
    )
    SELECT worker_id, key, fence, payload FROM taken ORDER BY priority DESC, id`,
};

interface ClaimedRow {
  readonly worker_id: string;
  readonly key: string;
  readonly fence: number;
  readonly payload: string;
}

/**
 * Implements `DispatchStore.claim`. Uses one statement per set of labels: in a statement for different labels, a task
 * could match two workers, because a transaction does not skip its own locks.
 */
export async function claim(
  { connection }: PostgresContext,
  requests: readonly ClaimRequest[],
): Promise<ReadonlyMap<string, readonly ClaimedTask[]>> {
  const claimed = new Map<string, ClaimedTask[]>();
  for (const group of await groupByLabels(
    { connection },
    requests.filter(({ free }) => free > 0),
  )) {
    const rows = await connection.query<ClaimedRow>(
      claimSql,
      group.map(({ id }) => id),
      group.map(({ epoch }) => epoch),
      group.map(({ free }) => free),
    );
    for (const { worker_id, key, fence, payload } of rows) {
      const tasks = claimed.get(worker_id);
      if (tasks === undefined) claimed.set(worker_id, [{ key, fence, payload }]);
      else tasks.push({ key, fence, payload });
    }
  }
  return claimed;
}

/** Groups workers by labels. A single worker needs no query. */
async function groupByLabels(
  { connection }: Pick<PostgresContext, 'connection'>,
  requests: readonly ClaimRequest[],
): Promise<Iterable<readonly ClaimRequest[]>> {
  if (requests.length <= 1) return requests.map((request) => [request]);
  const activeWorkers = await connection.query<{ id: string; labels: string }>(
    activeWorkerSql,
    requests.map(({ id }) => id),
    requests.map(({ epoch }) => epoch),
  );
  const labels = new Map(activeWorkers.map((worker) => [worker.id, worker.labels]));
  const able = requests.filter(({ id }) => labels.has(id));
  return Map.groupBy(able, ({ id }) => labels.get(id)!).values();
}
