import type { DecidedFireTime } from '../../scheduler/ports.ts';
import type { RunStatus } from '../../model/run/status.ts';
import type { ScheduleKind, FireTimeOutcome } from '../../model/run/fire-time.ts';
import type { Database } from '../database/database.ts';

export const slotsSql = /* sql */ `
  SELECT slot.dag, slot.kind, slot.at, slot.outcome, slot.reason, run.dag AS run_dag, run.run_id, run.status
  FROM schedule_slot slot LEFT JOIN run ON run.key = slot.run_key
  WHERE slot.at >= ? AND slot.at < ? ORDER BY slot.at DESC, slot.dag DESC, slot.kind DESC LIMIT ?`;

interface FireTimeRow {
  readonly dag: string;
  readonly kind: ScheduleKind;
  readonly at: number;
  readonly outcome: FireTimeOutcome;
  readonly reason: string | null;
  readonly run_dag: string | null;
  readonly run_id: string | null;
  readonly status: RunStatus | null;
}

export const listFireTimes = (
  database: Database,
  { from, before, limit }: { readonly from: number; readonly before: number; readonly limit: number },
): DecidedFireTime[] => database.all<FireTimeRow>(slotsSql, from, before, limit).map(toFireTime);

const toFireTime = ({
  reason,
  run_dag: name,
  run_id: dagRunId,
  status,
  ...fireTime
}: FireTimeRow): DecidedFireTime => ({
  ...fireTime,
  ...(reason !== null && { reason }),
  ...(name !== null && dagRunId !== null && status !== null && { run: { name, dagRunId, status } }),
});
