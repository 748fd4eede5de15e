import type { ScheduleKind, SlotOutcome } from '../../model/run/slot.ts';

/** A scheduled time that this process has decided. */
export interface DecidedSlot {
  readonly kind: ScheduleKind;
  readonly outcome: SlotOutcome;
  /** How long after its time, in milliseconds. */
  readonly lateMs: number;
}
