import type { ScheduleKind, FireTimeOutcome } from '../../model/run/fire-time.ts';

/** A scheduled time that this process has decided. */
export interface DecidedFireTime {
  readonly kind: ScheduleKind;
  readonly outcome: FireTimeOutcome;
  /** How long after its time, in milliseconds. */
  readonly lateMs: number;
}
