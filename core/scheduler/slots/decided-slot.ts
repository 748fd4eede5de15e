import type { ScheduleKind, SlotOutcome } from '../../model/run/slot.ts';

/** A scheduled time as this process has decided it. */
export interface DecidedSlot {
  readonly kind: ScheduleKind;
  readonly outcome: SlotOutcome;
  /** How long after its time, milliseconds. */
  readonly lateMs: number;
}
