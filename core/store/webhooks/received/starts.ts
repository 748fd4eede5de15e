import type { StoredStart, ReceivedStore } from '../../../webhooks/receiving/ports.ts';
import type { Database } from '../../database/database.ts';
import { toStart } from './list-received.ts';

type StartRow = Parameters<typeof toStart>[0];

export const listDueStarts = (
  database: Database,
  { at, receivedBefore, limit }: Parameters<ReceivedStore['listDueStarts']>[0],
): StoredStart[] =>
  database
    .all<StartRow>(
      /* sql */ `
      SELECT webhook_start.* FROM webhook_start INDEXED BY webhook_start_pending
      JOIN webhook_received ON webhook_received.key = webhook_start.received_key
      WHERE outcome = 'pending' AND (due_at <= ? OR (due_at IS NULL AND received_at <= ?))
      ORDER BY received_key LIMIT ?`,
      at,
      receivedBefore,
      limit,
    )
    .map(toStart);

/** Implements `ReceivedStore.settle`. A run that was started stays recorded, whatever was stored meanwhile. */
export function settle(database: Database, starts: Parameters<ReceivedStore['settle']>[0]): void {
  database.write(() => {
    for (const { receivedKey, dag, trigger, run, outcome, reason } of starts) {
      database.run(
        /* sql */ `
        UPDATE webhook_start SET outcome = ?, reason = ?, run_name = ?
        WHERE received_key = ? AND dag = ? AND trigger_no = ? AND (? = 'started' OR outcome = 'pending')`,
        outcome,
        reason ?? null,
        run.name,
        receivedKey,
        dag,
        trigger,
        outcome,
      );
    }
  });
}
