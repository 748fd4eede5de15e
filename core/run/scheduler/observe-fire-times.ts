import type { Clock } from '../../base/clock.ts';
import type { FireTimeOutcome, FireTimeRef } from '../../model/fire-time.ts';
import type { ScheduleStore } from '../../store/types/schedules.ts';
import type { DecidedFireTime, FireTimeSource } from './fire-time-runner.ts';

/** Returns the store and the sources of a scheduler, which report each slot that it decides. */
export function observeFireTimes(
  { store, load }: { readonly store: ScheduleStore; readonly load: (dag: string) => Promise<FireTimeSource> },
  notify: (fireTime: DecidedFireTime) => void,
  clock: Pick<Clock, 'now'>,
): { store: ScheduleStore; load: (dag: string) => Promise<FireTimeSource> } {
  const report = ({ kind, at }: FireTimeRef, outcome: FireTimeOutcome): void =>
    notify({ kind, outcome, lateMs: clock.now() - at });
  const reportRuns = <Runs extends readonly unknown[]>(
    fireTime: FireTimeRef,
    runs: Runs | undefined,
    outcome: FireTimeOutcome,
  ) => {
    if (runs !== undefined) report(fireTime, runs.length > 0 ? outcome : 'skipped');
    return runs;
  };
  return {
    store: {
      ...store,
      rejectFireTime(fireTime, error, at) {
        const isNew = store.rejectFireTime(fireTime, error, at);
        if (isNew) report(fireTime, error.outcome);
        return isNew;
      },
      stopForFireTime: (fireTime, name, at) =>
        reportRuns(fireTime, store.stopForFireTime(fireTime, name, at), 'stopped'),
      beginRestart: (fireTime, name, at) =>
        reportRuns(fireTime, store.beginRestart(fireTime, name, at), 'restarting'),
    },
    async load(dag) {
      const source = await load(dag);
      return {
        ...source,
        async start(fireTime, options) {
          const run = await source.start(fireTime, options);
          report(fireTime, 'started');
          return run;
        },
      };
    },
  };
}
