import { toIso } from '../../base/clock.ts';
import type { UsualDurationView } from '../../contract/expectations.ts';
import { minUsualRuns } from '../../model/expectation.ts';
import { maxCalendarDays } from '../../model/workflow-rules.ts';
import { findNextDeadline } from '../../spec/schedule/deadlines.ts';
import { findTimeZone } from '../../spec/schedule/time-zone.ts';
import type { RunStore } from '../../store/types/runs.ts';
import { toMissedView } from '../views.ts';
import { getName } from './dag-list.ts';
import type { HandlersFor } from './handlers.ts';
import { requireRun } from './run-handlers.ts';
import { readDays } from './schedule-handlers.ts';

const shownMisses = 50;
const maxMisses = 1000;

/** Operations on what is late, long or missing. */
export const expectationHandlers: HandlersFor<
  'dags.expectations' | 'runs.expectations' | 'schedules.missed'
> = {
  'dags.expectations': async ({ fileName }, { library, expectations, store, clock, config }) => {
    const entry = await library.get(fileName);
    const name = getName(entry);
    const { expect, schedule, timezone: zone = config.tz } = entry.spec.workflows[0] ?? {};
    const deadline =
      expect?.by === undefined
        ? undefined
        : findNextDeadline({ by: expect.by, start: schedule?.start ?? [], zone }, clock.now());
    const last = expectations.lastSuccess(fileName, name);
    return {
      expect,
      zone: findTimeZone(zone).name,
      nextDeadline: deadline && toIso(deadline.at),
      lastSuccessAt: last === undefined ? undefined : toIso(last),
      usual: toUsualView(name, store),
      missed: expectations.listMissed(fileName, shownMisses).map(toMissedView),
    };
  },
  'runs.expectations': (input, context) => {
    const { name, dagRunId } = requireRun(context, input).run;
    return {
      missed: context.expectations.listMissedOf({ name, dagRunId }).toReversed().map(toMissedView),
      usual: toUsualView(name, context.store),
    };
  },
  'schedules.missed': (span, context) => {
    const { zone, days } = readDays(span, maxCalendarDays.schedules, context);
    const misses = context.expectations.listMissedBetween(days[0]!.from, days.at(-1)!.until);
    return {
      zone,
      missed: misses
        .toReversed()
        .slice(0, maxMisses)
        .map((miss) => ({ fileName: miss.dag, name: miss.name, ...toMissedView(miss) })),
    };
  },
};

function toUsualView(name: string, store: Pick<RunStore, 'usualDuration'>): UsualDurationView {
  const { runs, medianMs } = store.usualDuration(name);
  return {
    runs,
    neededRuns: minUsualRuns,
    ...(medianMs !== undefined && { medianSeconds: medianMs / 1000 }),
  };
}
