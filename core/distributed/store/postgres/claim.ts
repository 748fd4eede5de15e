import type { ClaimedTask, ClaimRequest } from '../../ports.ts';
import type { Statement } from './connection.ts';
import type { PostgresDeps } from './parts.ts';
import { now } from './sql.ts';

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
  { connection }: PostgresDeps,
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
  { connection }: Pick<PostgresDeps, 'connection'>,
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
