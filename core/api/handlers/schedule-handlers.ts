import { toIso } from '../../base/clock.ts';
import type { SchedulerInstance } from '../../model/slot.ts';
import { listNextTimes } from '../../schedule/next-run.ts';
import type { HandlersFor } from './handlers.ts';

/** After this time without a sign of life nobody knows of a scheduler, milliseconds. */
const silentMs = 30_000;
const mostNotes = 50;

/** Operations on schedules and those who serve them. */
export const scheduleHandlers: HandlersFor<'dags.suspend' | 'dags.nextTimes' | 'services.scheduler'> = {
  'dags.suspend': ({ fileName, suspend }, { library, schedule, clock }) => {
    library.get(fileName);
    schedule.setSuspended(fileName, suspend, clock.now());
    return { suspended: suspend };
  },
  'dags.nextTimes': ({ fileName, limit = 10 }, { library, schedule, clock, config }) => {
    const workflow = library.get(fileName).spec.workflows[0];
    const times =
      workflow === undefined ? [] : listNextTimes(workflow.schedule, clock.now(), config.tz, limit);
    return {
      times: times.map(({ at, ...rest }) => ({ at: toIso(at), ...rest })),
      suspended: schedule.isSuspended(fileName),
    };
  },
  'services.scheduler': (_input, { schedule, clock }) => ({
    schedulers: schedule.listSchedulers().map((instance) => ({
      instanceId: instance.id,
      host: instance.host,
      pid: instance.pid,
      port: instance.port ?? 0,
      status: statusOf(instance, clock.now()),
      startedAt: toIso(instance.startedAt),
    })),
    notes: schedule.listNotes(mostNotes).map(({ at, kind, dag, message }) => ({
      at: toIso(at),
      kind,
      ...(dag === undefined ? {} : { fileName: dag }),
      message,
    })),
  }),
};

function statusOf({ beatAt, isActive }: SchedulerInstance, now: number): 'active' | 'inactive' | 'unknown' {
  if (now - beatAt > silentMs) return 'unknown';
  return isActive ? 'active' : 'inactive';
}
