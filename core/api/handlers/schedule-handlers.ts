import { toIso } from '../../base/clock.ts';
import { AppError, fieldError } from '../../base/errors.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { SchedulePauseView, CalendarEntryView } from '../../contract/schedules.ts';
import { formatActor } from '../../model/run-event.ts';
import type { SchedulePause, SchedulerInstance } from '../../model/fire-time.ts';
import { listNextTimes, listDays, type Day, dateAt, listTimesBetween } from '../../spec/schedule/next-run.ts';
import { maxCalendarDays } from '../../model/workflow-rules.ts';
import { findTimeZone, type TimeZone } from '../../spec/schedule/time-zone.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import type { DecidedFireTime } from '../../store/types/schedules.ts';
import type { EngineContext } from '../engine-context.ts';
import { type HandlersFor, parseTimestamp } from './handlers.ts';
import { nameOf } from './dag-list.ts';

/** Milliseconds without a heartbeat after which the state of a scheduler is unknown. */
const silentMs = 30_000;
const maxNotes = 50;

type ScheduleOperation =
  | 'dags.suspend'
  | 'dags.nextTimes'
  | 'services.scheduler'
  | 'schedules.pause'
  | 'schedules.resume';

/** Operations on schedules and schedulers. */
export const scheduleHandlers: HandlersFor<ScheduleOperation> = {
  'schedules.pause': ({ until }, { schedule, clock }, caller) => {
    const since = clock.now();
    const pause = {
      since,
      by: caller.name,
      ...(until !== undefined && { until: parsePauseEnd(until, since) }),
    };
    schedule.setPause(pause);
    const span = pause.until === undefined ? 'until resumed' : `until ${toIso(pause.until)}`;
    const message = `All schedules paused ${span} ${formatActor(caller.name)}.`;
    schedule.addNote({ at: since, kind: 'paused', message });
    return { pause: toPauseView(pause) };
  },
  'schedules.resume': (_input, { schedule, clock }, caller) => {
    const wasPaused = findPause(schedule.pause(), clock.now()) !== undefined;
    schedule.setPause(undefined);
    const message = `All schedules resumed ${formatActor(caller.name)}.`;
    if (wasPaused) schedule.addNote({ at: clock.now(), kind: 'paused', message });
    return { wasPaused };
  },
  'dags.suspend': ({ fileName, suspend }, { library, schedule, clock }) => {
    library.peek(fileName);
    schedule.setSuspended(fileName, suspend, clock.now());
    return { suspended: suspend };
  },
  'dags.nextTimes': async ({ fileName, limit = 10 }, { library, schedule, clock, config }) => {
    const workflow = (await library.get(fileName)).spec.workflows[0];
    const times =
      workflow === undefined ? [] : listNextTimes(workflow.schedule, clock.now(), config.tz, limit);
    return {
      times: times.map(({ at, ...rest }) => ({ at: toIso(at), ...rest })),
      suspended: schedule.isSuspended(fileName),
    };
  },
  'services.scheduler': (_input, context) => describeSchedulers(context),
};

/** Returns the schedulers, the pause and recent notes. */
export const describeSchedulers = ({
  schedule,
  clock,
}: EngineContext): OperationOutput<'services.scheduler'> => ({
  ...toPauseField(findPause(schedule.pause(), clock.now())),
  schedulers: schedule.listSchedulers().map((instance) => ({
    instanceId: instance.id,
    host: instance.host,
    pid: instance.pid,
    port: instance.port ?? 0,
    status: statusOf(instance, clock.now()),
    startedAt: toIso(instance.startedAt),
  })),
  notes: schedule.listNotes(maxNotes).map(({ at, kind, dag, message }) => ({
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

/** Returns the current pause. An expired pause may still be stored if no scheduler is running. */
const findPause = (pause: SchedulePause | undefined, now: number): SchedulePause | undefined =>
  pause?.until !== undefined && pause.until <= now ? undefined : pause;

const toPauseField = (pause: SchedulePause | undefined): { pause?: SchedulePauseView } =>
  pause === undefined ? {} : { pause: toPauseView(pause) };

const toPauseView = ({ since, until, by }: SchedulePause): SchedulePauseView => ({
  since: toIso(since),
  ...(until !== undefined && { until: toIso(until) }),
  by,
});

function statusOf({ beatAt, isActive }: SchedulerInstance, now: number): 'active' | 'inactive' | 'unknown' {
  if (now - beatAt > silentMs) return 'unknown';
  return isActive ? 'active' : 'inactive';
}

/** Calendar operations on runs and schedules. */
export const calendarHandlers: HandlersFor<'runs.calendar' | 'schedules.calendar'> = {
  'runs.calendar': ({ name, ...span }, context) => {
    const { zone, days } = readDays(span, maxCalendarDays.runs, context);
    const { counts, isComplete } = context.store.countByDay({ days, ...(name !== undefined && { name }) });
    return {
      zone,
      days: days
        .map(({ date }, index) => ({ date, ...counts[index]! }))
        .filter(({ total, failed }) => total + failed > 0),
      isComplete,
    };
  },
  'schedules.calendar': async (span, context) => {
    const { zone, days } = readDays(span, maxCalendarDays.schedules, context);
    return { zone, ...(await collectCalendar(days, zone, context)) };
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

/** Maximum number of slots that are read, of times of one workflow that are computed, and of entries in a response. */
const max = { slots: 20_000, times: 1500, entries: 10_000 };
/** Number of workflows whose times are computed per turn of the event loop. */
const filesPerTurn = 20;

type Entry = CalendarEntryView;

/** Collects the past and future starts of schedules in a range of days. */
async function collectCalendar(
  days: readonly Day[],
  zoneName: string,
  context: EngineContext,
): Promise<{ entries: Entry[]; isComplete: boolean }> {
  const zone = findTimeZone(zoneName);
  const span = { from: days[0]!.from, before: days.at(-1)!.until };
  const names = new Map(context.library.list().map((entry) => [entry.fileName, nameOf(entry)]));
  const groups = new Groups(zone);
  const slots = context.schedule.listFireTimes({ ...span, limit: max.slots });
  for (const slot of slots.toReversed()) groups.add(fromFireTime(slot, names));
  const isFutureComplete = await addFutureTimes(groups, span, context);
  const entries = groups.list();
  return {
    entries: entries.slice(0, max.entries),
    isComplete: slots.length < max.slots && isFutureComplete && entries.length <= max.entries,
  };
}

type Time = Omit<Entry, 'date' | 'count' | 'first' | 'last'> & { readonly at: number };

const fromFireTime = (
  { dag, kind, at, outcome, reason, run }: DecidedFireTime,
  names: ReadonlyMap<string, string>,
): Time => ({
  fileName: dag,
  name: names.get(dag) ?? dag,
  kind,
  at,
  outcome,
  ...(reason !== undefined && { reason }),
  ...(run && { run }),
});

/** Returns whether all times are included. */
async function addFutureTimes(
  groups: Groups,
  span: { readonly from: number; readonly before: number },
  { library, schedule, clock, config }: EngineContext,
): Promise<boolean> {
  const suspended = schedule.listSuspended();
  const after = Math.max(span.from - 1, clock.now());
  let isComplete = true;
  const scheduled = library.list().filter(isScheduled);
  for (const [index, entry] of scheduled.entries()) {
    if (index % filesPerTurn === filesPerTurn - 1) await new Promise<void>((resolve) => clock.soon(resolve));
    const { fileName } = entry;
    const outcome = suspended.has(fileName) ? 'suspended' : 'due';
    const times = listTimesBetween(
      entry.spec.workflows[0]!.schedule,
      { ...span, after },
      config.tz,
      max.times,
    );
    isComplete &&= times.length < max.times;
    for (const { at, kind } of times) groups.add({ fileName, name: nameOf(entry), kind, at, outcome });
  }
  return isComplete;
}

const isScheduled = ({ spec }: LibraryEntry): boolean =>
  Object.values(spec.workflows[0]?.schedule ?? {}).some((times) => times.length > 0);

/** Groups the times of one day with the same outcome. */
class Groups {
  readonly #zone: TimeZone;
  readonly #groups = new Map<string, Entry & { readonly at: number }>();

  constructor(zone: TimeZone) {
    this.#zone = zone;
  }

  /** Times must be added in ascending order. */
  add({ at, ...time }: Time): void {
    const date = dateAt(this.#zone, at);
    const key = JSON.stringify([time.fileName, time.kind, date, time.outcome]);
    const known = this.#groups.get(key);
    const last = toIso(at);
    this.#groups.set(key, {
      ...time,
      date,
      count: (known?.count ?? 0) + 1,
      first: known?.first ?? last,
      last,
      at: known?.at ?? at,
    });
  }

  list(): Entry[] {
    return [...this.#groups.values()]
      .toSorted((left, right) => left.at - right.at)
      .map(({ at: _at, ...entry }) => entry);
  }
}
