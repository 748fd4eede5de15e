import type { Clock } from '../base/clock.ts';
import type { SlotOutcome, SlotRef } from '../model/run/slot.ts';
import type { ScheduleStore } from '../scheduler/ports.ts';
import type { DecidedSlot } from '../scheduler/slots/decided-slot.ts';
import type { SlotSource } from '../scheduler/slots/slot-runner.ts';

/** Returns the store and the sources of a scheduler, which report each slot that it decides. */
export function observeSlots(
  { store, load }: { readonly store: ScheduleStore; readonly load: (dag: string) => Promise<SlotSource> },
  tell: (slot: DecidedSlot) => void,
  clock: Pick<Clock, 'now'>,
): { store: ScheduleStore; load: (dag: string) => Promise<SlotSource> } {
  const report = ({ kind, at }: SlotRef, outcome: SlotOutcome): void =>
    tell({ kind, outcome, lateMs: clock.now() - at });
  const reportRuns = <Runs extends readonly unknown[]>(
    slot: SlotRef,
    runs: Runs | undefined,
    outcome: SlotOutcome,
  ) => {
    if (runs !== undefined) report(slot, runs.length > 0 ? outcome : 'skipped');
    return runs;
  };
  return {
    store: {
      ...store,
      refuseSlot(slot, refusal, at) {
        const isNew = store.refuseSlot(slot, refusal, at);
        if (isNew) report(slot, refusal.outcome);
        return isNew;
      },
      stopForSlot: (slot, name, at) => reportRuns(slot, store.stopForSlot(slot, name, at), 'stopped'),
      beginRestart: (slot, name, at) => reportRuns(slot, store.beginRestart(slot, name, at), 'restarting'),
    },
    async load(dag) {
      const source = await load(dag);
      return {
        ...source,
        async start(slot, wish) {
          const run = await source.start(slot, wish);
          report(slot, 'started');
          return run;
        },
      };
    },
  };
}
