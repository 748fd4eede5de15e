import type { WakeKind } from '../rows.ts';

/** The database's clock, epoch milliseconds: when the transaction began. */
export const now = `(extract(epoch FROM now()) * 1000)::bigint`;

/** Where all that wait listen. */
export const channel = 'stepwright_dispatch';

/** Tells them at commit; for a column of a result that has a row when there is something new. Once for all rows. */
export const tell = (kind: WakeKind): string => `(SELECT pg_notify('${channel}', '${kind}'))`;

/** A claimed task goes back, under a higher fence. */
export const putBack = `state = 'ready', fence = fence + 1, worker_id = NULL, worker_epoch = NULL, claimed_at = NULL`;

/** Tasks that a worker has; the index of them is chosen by these words. */
export const held = `state IN ('claimed', 'running')`;
