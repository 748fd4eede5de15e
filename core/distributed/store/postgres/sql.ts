import type { ChangeKind } from '../rows.ts';

/** The database's clock at transaction start, in epoch milliseconds. */
export const now = `(extract(epoch FROM now()) * 1000)::bigint`;

/** NOTIFY channel of all waiting callers. */
export const channel = 'stepwright_dispatch';

/**
 * Returns an SQL expression that notifies at commit; use it as a column of a result that has a row if something
 * changed. Evaluated once for all rows.
 */
export const notify = (kind: ChangeKind): string => `(SELECT pg_notify('${channel}', '${kind}'))`;

/** Returns a claimed task with a higher fencing token. */
export const requeue = `state = 'ready', fence = fence + 1, worker_id = NULL, worker_epoch = NULL, claimed_at = NULL`;

/** Tasks that a worker holds. The index is chosen by this exact condition. */
export const held = `state IN ('claimed', 'running')`;
