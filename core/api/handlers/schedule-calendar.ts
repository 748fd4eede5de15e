import { toIso } from '../../base/clock.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import type { CalendarEntryView, HourCountView } from '../../contract/schedules.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import { scheduleKinds, type FireTimeRef, type SchedulePause } from '../../model/fire-time.ts';
import type { Schedule } from '../../model/workflow.ts';
import {
  countTimes,
  listHourSlots,
  splitSlots,
  summarizeTimes,
  type HourSlot,
  type TimeSummary,
} from '../../spec/schedule/count-times.ts';
import { timesAfter, type Day } from '../../spec/schedule/next-run.ts';
import { findTimeZone } from '../../spec/schedule/time-zone.ts';
import type { FireTimeGroup } from '../../store/types/schedules.ts';
import type { EngineContext } from '../engine-context.ts';
import { getName } from './dag-list.ts';

/** Maximum number of entries in a response. */
const maxEntries = 10_000;
/** Number of workflows whose times are computed per turn of the event loop. */
const filesPerTurn = 100;
const hourMs = 3_600_000;

/** A start up to a minute late counts as on time. */
const onTimeMs = 60_000;

interface Question {
  readonly days: readonly Day[];
  /** Time zone of the days. */
  readonly zone: string;
  readonly filter: Pick<OperationInput<'schedules.counts'>, 'name' | 'tags' | 'group' | 'frequency'>;
}

/** Returns the current pause. An expired pause may still be stored if no scheduler is running. */
export const findPause = (pause: SchedulePause | undefined, now: number): SchedulePause | undefined =>
  pause?.until !== undefined && pause.until <= now ? undefined : pause;

/** A workflow with a schedule that matches the filter. */
interface Scheduled {
  readonly entry: LibraryEntry;
  readonly schedule: Schedule;
}

/** The slots of a calendar: past ones are read from the store, upcoming ones are computed. */
interface Spans {
  readonly slots: readonly HourSlot[];
  /** Slots whose times should be decided by now. */
  readonly past: readonly HourSlot[];
  readonly upcoming: readonly HourSlot[];
  readonly isPaused: (slot: HourSlot) => boolean;
}

async function readSpans({ days, zone }: Question, { schedule, clock }: EngineContext): Promise<Spans> {
  const now = clock.now();
  const pause = findPause(await schedule.pause(), now);
  const resumesAt = pause === undefined ? now : (pause.until ?? Infinity);
  const hours = listHourSlots(days, zone);
  const slots = splitSlots(splitSlots(splitSlots(hours, now - onTimeMs), now + 1), resumesAt);
  return {
    slots,
    past: slots.filter(({ until }) => until <= now - onTimeMs),
    upcoming: slots.filter(({ from }) => from > now),
    isPaused: ({ from }) => pause !== undefined && from < resumesAt,
  };
}

/** Counts the times of all matching schedules by hour. */
export async function countCalendar(
  question: Question,
  context: EngineContext,
): Promise<Omit<OperationOutput<'schedules.counts'>, 'zone'>> {
  const spans = await readSpans(question, context);
  const counts = new HourCounts(spans.slots);
  const scheduled = findScheduled(question, context);
  await countPast(getSpan(question, scheduled), scheduled, counts, context);
  const registered = await context.schedule.listRegistered();
  const suspended = await context.schedule.listSuspended();
  const offset = spans.slots.length - spans.upcoming.length;
  await eachInTurn(scheduled, context, (one) => {
    const { fileName } = one.entry;
    const isSuspended = suspended.has(fileName);
    const since = isSuspended ? Infinity : (registered.get(fileName) ?? Infinity);
    const due = slotsSince(spans.past, since);
    const isOften = isFrequent(one, context);
    const add = (index: number, outcome: Outcome, count: number): void => {
      if (count === 0) return;
      counts.add(index, outcome, count);
      if (isOften) counts.add(index, 'frequent', count);
    };
    for (const kind of scheduleKinds) {
      const expressions = one.schedule[kind];
      if (expressions.length === 0) continue;
      if (due.length > 0)
        countTimes(expressions, context.config.tz, due).forEach((count, index) =>
          add(spans.past.length - due.length + index, 'missed', count),
        );
      countTimes(expressions, context.config.tz, spans.upcoming).forEach((count, index) => {
        const isPaused = spans.isPaused(spans.upcoming[index]!);
        add(offset + index, isSuspended ? 'suspended' : isPaused ? 'paused' : 'due', count);
      });
    }
  });
  return {
    workflows: scheduled.length,
    hours: counts.list(),
    clockChanges: listClockChanges(question),
  };
}

/** Counts the decided times. The expected ones are added as missed, so those that are decided count against them. */
async function countPast(
  { from, before, dags }: ReturnType<typeof getSpan>,
  scheduled: readonly Scheduled[],
  counts: HourCounts,
  context: EngineContext,
): Promise<void> {
  for (const time of await context.schedule.countFireTimes({ from, before, ...dags })) {
    const index = counts.indexAt(time.at);
    counts.add(index, time.outcome, time.count);
    counts.add(index, 'missed', -time.registered);
    if (time.outcome === 'started' && time.status === 'failed') counts.add(index, 'failedRuns', time.count);
  }
  const frequent = scheduled.filter((one) => isFrequent(one, context)).map(({ entry }) => entry.fileName);
  for (const { at, count, registered } of await context.schedule.countFireTimes({
    from,
    before,
    dags: frequent,
  }))
    counts.add(counts.indexAt(at), 'frequent', count - registered);
}

/** Lists the times of matching schedules, one entry per workflow, day and outcome. */
export async function listCalendar(
  question: Question & { readonly hour: number | undefined },
  context: EngineContext,
): Promise<{ entries: CalendarEntryView[]; isComplete: boolean }> {
  const { hour } = question;
  const { slots, ...spans } = await readSpans(question, context);
  const scheduled = findScheduled(question, context);
  const { dags } = getSpan(question, scheduled);
  const inHour = (slot: HourSlot): boolean => hour === undefined || slot.hour === hour;
  const { add, list } = collectEntries(scheduled, context);
  for (const span of joinSlots(slots.filter(inHour)))
    for (const group of await context.schedule.groupFireTimes({
      from: span.from,
      before: span.until,
      ...dags,
      limit: maxEntries + 1,
    }))
      add({ ...group, date: span.date });
  const suspended = await context.schedule.listSuspended();
  const registered = await context.schedule.listRegistered();
  const past = groupByDay(spans.past.filter(inHour), () => false);
  const parts = groupByDay(spans.upcoming.filter(inHour), spans.isPaused);
  await eachInTurn(scheduled, context, async ({ entry, schedule }) => {
    const dag = entry.fileName;
    const outcome = suspended.has(dag) ? 'suspended' : 'due';
    const since = outcome === 'suspended' ? undefined : registered.get(dag);
    for (const kind of scheduleKinds) {
      for (const { date, slots: part } of since === undefined || schedule[kind].length === 0 ? [] : past) {
        const missed = await findMissed({ dag, kind }, schedule[kind], slotsSince(part, since!), context);
        if (missed !== undefined)
          add({ dag, kind, outcome: 'skipped', date, reason: missedReason, ...missed });
      }
      for (const { date, paused, slots: part } of schedule[kind].length === 0 ? [] : parts) {
        const times = summarizeTimes(schedule[kind], context.config.tz, part);
        if (times !== undefined) add({ dag, kind, outcome, date, ...(paused && { paused }), ...times });
      }
    }
  });
  return list();
}

type EntryTime = Omit<FireTimeGroup, 'outcome'> & Pick<CalendarEntryView, 'outcome' | 'date' | 'paused'>;

/** Collects the entries of a calendar with the names of their workflows. */
function collectEntries(scheduled: readonly Scheduled[], context: EngineContext) {
  const names = new Map(context.library.list().map((entry) => [entry.fileName, getName(entry)]));
  const frequent = new Set(
    scheduled.filter((one) => isFrequent(one, context)).map(({ entry }) => entry.fileName),
  );
  const times: EntryTime[] = [];
  return {
    add: (time: EntryTime): void => void times.push(time),
    list: () => ({
      entries: times
        .toSorted((a, b) => a.first - b.first)
        .slice(0, maxEntries)
        .map(({ dag, first, last, ...rest }) => ({
          ...rest,
          fileName: dag,
          name: names.get(dag) ?? dag,
          first: toIso(first),
          last: toIso(last),
          ...(frequent.has(dag) && { frequent: true }),
        })),
      isComplete: times.length <= maxEntries,
    }),
  };
}

const missedReason = 'No scheduler was running, or all schedules were paused.';

/** Returns the part of slots that is not before an instant. */
function slotsSince(slots: readonly HourSlot[], at: number): readonly HourSlot[] {
  // The same list for most workflows, so that it is prepared only once.
  if (slots.length === 0 || slots[0]!.from >= at) return slots;
  return slots.flatMap((slot) => (slot.until <= at ? [] : [{ ...slot, from: Math.max(slot.from, at) }]));
}

/** Returns the times of a workflow that no scheduler has decided. */
async function findMissed(
  ref: Omit<FireTimeRef, 'at'>,
  expressions: readonly string[],
  slots: readonly HourSlot[],
  { schedule, config }: EngineContext,
): Promise<TimeSummary | undefined> {
  const all = summarizeTimes(expressions, config.tz, slots);
  if (all === undefined) return undefined;
  const decided = await schedule.listFireTimes(ref, { from: all.first, before: all.last + 1 });
  if (decided.size === 0) return all;
  if (decided.size >= all.count) return undefined;
  const missed: number[] = [];
  for (const { at } of timesAfter(expressions, all.first - 1, config.tz)) {
    if (at > all.last) break;
    if (!decided.has(at) && slots.some(({ from, until }) => at >= from && at < until)) missed.push(at);
  }
  return missed.length === 0 ? undefined : { count: missed.length, first: missed[0]!, last: missed.at(-1)! };
}

/** Joins adjacent slots of the same day. */
function joinSlots(slots: readonly HourSlot[]): { from: number; until: number; date: string }[] {
  const spans: { from: number; until: number; date: string }[] = [];
  for (const { from, until, date } of slots) {
    const last = spans.at(-1);
    if (last?.until === from && last.date === date) last.until = until;
    else spans.push({ from, until, date });
  }
  return spans;
}

function groupByDay(slots: readonly HourSlot[], isPaused: Spans['isPaused']) {
  const groups = Map.groupBy(slots, (slot) => `${slot.date} ${isPaused(slot)}`);
  return [...groups.values()].map((part) => ({
    date: part[0]!.date,
    paused: isPaused(part[0]!),
    slots: part,
  }));
}

function findScheduled({ filter }: Question, context: EngineContext): Scheduled[] {
  const { name, tags, group, frequency } = filter;
  const part = name?.toLowerCase();
  return context.library.list().flatMap((entry) => {
    const workflow = entry.spec.workflows[0];
    if (workflow === undefined || scheduleKinds.every((kind) => workflow.schedule[kind].length === 0))
      return [];
    const scheduled = { entry, schedule: workflow.schedule };
    const fits =
      (part === undefined ||
        [entry.fileName, workflow.name].some((text) => text?.toLowerCase().includes(part))) &&
      (tags === undefined || tags.every((tag) => workflow.tags.includes(tag))) &&
      (group === undefined || workflow.group === group) &&
      (frequency === undefined || (frequency === 'frequent') === isFrequent(scheduled, context));
    return fits ? [scheduled] : [];
  });
}

/** Whether schedules have more than one time per hour, by file. */
const frequencies = new WeakMap<LibraryEntry, boolean>();
/** A week without clock changes in any zone. */
const usualWeek = { from: '2026-01-12', to: '2026-01-18' };

function isFrequent({ entry, schedule }: Scheduled, { config }: EngineContext): boolean {
  let known = frequencies.get(entry);
  if (known === undefined) {
    usualSlots ??= listHourSlots(
      [
        {
          date: usualWeek.from,
          from: Date.parse(usualWeek.from),
          until: Date.parse(usualWeek.from) + 168 * hourMs,
        },
      ],
      'UTC',
    );
    const times = scheduleKinds.flatMap((kind) => countTimes(schedule[kind], config.tz, usualSlots!));
    known = times.reduce((sum, count) => sum + count, 0) > usualSlots.length;
    frequencies.set(entry, known);
  }
  return known;
}

let usualSlots: readonly HourSlot[] | undefined;

/** Returns the span of the days, and the workflows to read if there is a filter. */
function getSpan({ days, filter }: Question, scheduled: readonly Scheduled[]) {
  const isFiltered = [filter.name, filter.tags, filter.group, filter.frequency].some(
    (value) => value !== undefined,
  );
  return {
    from: days[0]!.from,
    before: days.at(-1)!.until,
    dags: isFiltered ? { dags: scheduled.map(({ entry }) => entry.fileName) } : {},
  };
}

async function eachInTurn(
  scheduled: readonly Scheduled[],
  { clock }: EngineContext,
  work: (one: Scheduled) => void | Promise<void>,
): Promise<void> {
  for (const [index, one] of scheduled.entries()) {
    if (index % filesPerTurn === filesPerTurn - 1) await new Promise<void>((resolve) => clock.soon(resolve));
    await work(one);
  }
}

function listClockChanges({ days, zone }: Question): OperationOutput<'schedules.counts'>['clockChanges'] {
  const clock = findTimeZone(zone);
  return days.flatMap(({ date, from, until }) => {
    const change = clock.nextChange(from - 1, until - 1);
    return change === undefined
      ? []
      : [{ at: toIso(change.at), date, minutes: (change.after - change.before) / 60_000 }];
  });
}

type Outcome = Exclude<keyof HourCountView, 'date' | 'hour'>;

type Counts = Partial<Record<Outcome, number>>;

/** Counts by hour; slots of the same hour are added up. */
class HourCounts {
  readonly #slots: readonly HourSlot[];
  readonly #hours = new Map<string, { readonly slot: HourSlot; readonly counts: Counts }>();

  constructor(slots: readonly HourSlot[]) {
    this.#slots = slots;
  }

  /** Returns the index of the slot that contains an instant. */
  indexAt(at: number): number {
    let [low, high] = [0, this.#slots.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#slots[middle]!.from <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  add(index: number, outcome: Outcome, count: number): void {
    const slot = this.#slots[index]!;
    const key = `${slot.date} ${String(slot.hour).padStart(2, '0')}`;
    const known = this.#hours.get(key) ?? { slot, counts: {} };
    known.counts[outcome] = (known.counts[outcome] ?? 0) + count;
    this.#hours.set(key, known);
  }

  /** Negative counts are left out: decided times of a file that is now invalid, so that none are expected. */
  list(): HourCountView[] {
    return [...this.#hours]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { slot, counts }]) => {
        const found = Object.entries(counts).filter(([, count]) => count > 0);
        return found.length === 0 ? [] : [{ date: slot.date, hour: slot.hour, ...Object.fromEntries(found) }];
      });
  }
}
