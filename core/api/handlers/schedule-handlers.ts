import { toIso } from '../../base/clock.ts';
import { AppError, fieldError } from '../../base/errors.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { SchedulePauseView } from '../../contract/schedules.ts';
import { formatActor } from '../../model/run-event.ts';
import type { SchedulePause, SchedulerInstance } from '../../model/fire-time.ts';
import { listNextTimes, listDays, type Day } from '../../spec/schedule/next-run.ts';
import { maxCalendarDays } from '../../model/workflow-rules.ts';
import { findTimeZone } from '../../spec/schedule/time-zone.ts';
import type { EngineContext } from '../engine-context.ts';
import { type HandlersFor, parseTimestamp } from './handlers.ts';
import { countCalendar, findPause, listCalendar } from './schedule-calendar.ts';

/** Milliseconds without a heartbeat after which the state of a scheduler is unknown. */
const silentMs = 30_000;
const maxNotes = 50;

type ScheduleOperation =
  | 'dags.suspend'
  | 'dags.nextTimes'
  | 'services.scheduler'
  | 'services.startScheduler'
  | 'schedules.pause'
  | 'schedules.resume';

/** Operations on schedules and schedulers. */
export const scheduleHandlers: HandlersFor<ScheduleOperation> = {
  'schedules.pause': async ({ until }, { schedule, clock }, caller) => {
    const since = clock.now();
    const pause = {
      since,
      by: caller.name,
      ...(until !== undefined && { until: parsePauseEnd(until, since) }),
    };
    await schedule.setPause(pause);
    const span = pause.until === undefined ? 'until resumed' : `until ${toIso(pause.until)}`;
    const message = `All schedules paused ${span} ${formatActor(caller.name)}.`;
    await schedule.addNote({ at: since, kind: 'paused', message });
    return { pause: toPauseView(pause) };
  },
  'schedules.resume': async (_input, { schedule, clock }, caller) => {
    const wasPaused = findPause(await schedule.setPause(undefined), clock.now()) !== undefined;
    const message = `All schedules resumed ${formatActor(caller.name)}.`;
    if (wasPaused) await schedule.addNote({ at: clock.now(), kind: 'paused', message });
    return { wasPaused };
  },
  'dags.suspend': async ({ fileName, suspend }, { library, schedule, clock }) => {
    library.peek(fileName);
    await schedule.setSuspended(fileName, suspend, clock.now());
    return { suspended: suspend };
  },
  'dags.nextTimes': async ({ fileName, limit = 10 }, { library, schedule, clock, config }) => {
    const workflow = (await library.get(fileName)).spec.workflows[0];
    const times =
      workflow === undefined ? [] : listNextTimes(workflow.schedule, clock.now(), config.tz, limit);
    return {
      times: times.map(({ at, ...rest }) => ({ at: toIso(at), ...rest })),
      suspended: await schedule.isSuspended(fileName),
      zone: findTimeZone(workflow?.timezone ?? config.tz).name,
    };
  },
  'services.scheduler': (_input, context) => getSchedulers(context),
  'services.startScheduler': async (_input, { schedule, clock, startScheduling }) => {
    const wasActive = (await schedule.listSchedulers()).some(
      (instance) => getStatus(instance, clock.now()) === 'active',
    );
    if (!wasActive) await startScheduling();
    return { wasActive };
  },
};

/** Returns the schedulers, the pause and recent notes. */
export const getSchedulers = async ({
  schedule,
  clock,
}: EngineContext): Promise<OperationOutput<'services.scheduler'>> => ({
  ...toPauseField(findPause(await schedule.pause(), clock.now())),
  schedulers: (await schedule.listSchedulers()).map((instance) => ({
    instanceId: instance.id,
    host: instance.host,
    pid: instance.pid,
    port: instance.port ?? 0,
    status: getStatus(instance, clock.now()),
    startedAt: toIso(instance.startedAt),
  })),
  notes: (await schedule.listNotes(maxNotes)).map(({ at, kind, dag, message }) => ({
    at: toIso(at),
    kind,
    ...(dag === undefined ? {} : { fileName: dag }),
    message,
  })),
});

function parsePauseEnd(text: string, now: number): number {
  const at = parseTimestamp('until', text);
  if (at !== undefined && at > now) return at;
  throw new AppError('bad_request', `until: ${text} is in the past. Use a later time, or omit the field.`, {
    details: { field: 'until' },
  });
}

const toPauseField = (pause: SchedulePause | undefined): { pause?: SchedulePauseView } =>
  pause === undefined ? {} : { pause: toPauseView(pause) };

const toPauseView = ({ since, until, by }: SchedulePause): SchedulePauseView => ({
  since: toIso(since),
  ...(until !== undefined && { until: toIso(until) }),
  by,
});

function getStatus({ beatAt, isActive }: SchedulerInstance, now: number): 'active' | 'inactive' | 'unknown' {
  if (now - beatAt > silentMs) return 'unknown';
  return isActive ? 'active' : 'inactive';
}

/** Calendar operations on runs and schedules. */
export const calendarHandlers: HandlersFor<'runs.calendar' | 'schedules.calendar' | 'schedules.counts'> = {
  'runs.calendar': async ({ name, ...span }, context) => {
    const { zone, days } = readDays(span, maxCalendarDays.runs, context);
    const { counts, isComplete } = await context.store.countByDay({
      days,
      ...(name !== undefined && { name }),
    });
    return {
      zone,
      days: days
        .map(({ date }, index) => ({ date, ...counts[index]! }))
        .filter(({ total, failed }) => total + failed > 0),
      isComplete,
    };
  },
  'schedules.calendar': async ({ hour, ...input }, context) => {
    const { zone, days } = readDays(input, maxCalendarDays.schedules, context);
    return { zone, ...(await listCalendar({ days, zone, hour, filter: input }, context)) };
  },
  'schedules.counts': async (input, context) => {
    const { zone, days } = readDays(input, maxCalendarDays.schedules, context);
    return { zone, ...(await countCalendar({ days, zone, filter: input }, context)) };
  },
};

/**
 * Returns the days of a range in its time zone.
 * @throws `bad_request`
 */
export function readDays(
  { fromDate, toDate, zone }: { fromDate: string; toDate: string; zone?: string | undefined },
  max: number,
  { config }: EngineContext,
): { zone: string; days: Day[] } {
  const requestedZone = zone ?? config.tz;
  let days: Day[];
  try {
    days = listDays({ from: fromDate, to: toDate }, requestedZone, max + 1);
  } catch {
    throw fieldError(
      'zone',
      `unknown time zone ${JSON.stringify(requestedZone)}. Use a name such as Europe/Berlin.`,
    );
  }
  if (days.length === 0)
    throw fieldError('toDate', `empty range from ${fromDate} to ${toDate}. Use dates such as 2026-01-31.`);
  if (days.length > max) throw fieldError('toDate', `must be at most ${max} days after ${fromDate}`);
  return { zone: findTimeZone(requestedZone).name, days };
}
