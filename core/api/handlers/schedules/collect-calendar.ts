import { toIso } from '../../../base/clock.ts';
import type { CalendarEntryView } from '../../../contract/schedules/calendars.ts';
import type { LibraryEntry } from '../../../library/workflow-library.ts';
import { dateAt, type Day } from '../../../schedule/days.ts';
import { listTimesBetween } from '../../../schedule/next-run.ts';
import { findTimeZone, type TimeZone } from '../../../schedule/zone/time-zone.ts';
import type { DecidedFireTime } from '../../../scheduler/ports.ts';
import type { EngineContext } from '../../engine-context.ts';
import { nameOf } from '../workflows/dag-list.ts';

/** Maximum number of slots that are read, of times of one workflow that are computed, and of entries in a response. */
const max = { slots: 20_000, times: 1500, entries: 10_000 };
/** Number of workflows whose times are computed per turn of the event loop. */
const filesPerTurn = 20;

type Entry = CalendarEntryView;

/** Collects the past and future starts of schedules in a range of days. */
export async function collectCalendar(
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
