import type { HourCountView } from '../../../core/contract/schedules.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';

export type CalendarCounts = OperationOutput<'schedules.counts'>;

/** Counts by outcome; those of several hours can be added. */
export type Counts = Partial<Omit<HourCountView, 'date' | 'hour'>>;

/** The outcomes that make up a total, with their labels; the worst ones first. */
const outcomeLabels = {
  failed: 'failed to start',
  missed: 'missed',
  skipped: 'skipped',
  paused: 'paused',
  suspended: 'suspended',
  due: 'upcoming',
  started: 'started',
  stopped: 'stopped',
  restarting: 'restarting',
} as const satisfies Record<Exclude<keyof Counts, 'failedRuns' | 'frequent'>, string>;
type Outcome = keyof typeof outcomeLabels;
const outcomes = Object.keys(outcomeLabels) as readonly Outcome[];

/** Groups of outcomes that are marked in the calendar, with the labels of the legend. */
export const marks = {
  problem: 'Failed',
  missed: 'Missed or skipped',
  resting: 'Paused or suspended',
} as const;
export type Mark = keyof typeof marks;

/** Returns the number of scheduled times. */
export const getTotal = (counts: Counts): number =>
  outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);

/** Returns the number of times of schedules that run at most hourly. */
export const getInfrequent = (counts: Counts): number => getTotal(counts) - (counts.frequent ?? 0);

/** Returns the marks of an hour. */
export function getMarks({
  failed = 0,
  failedRuns = 0,
  missed = 0,
  skipped = 0,
  paused = 0,
  suspended = 0,
}: Counts): Mark[] {
  const found: Mark[] = [];
  if (failed + failedRuns > 0) found.push('problem');
  if (missed + skipped > 0) found.push('missed');
  if (paused + suspended > 0) found.push('resting');
  return found;
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const outcome of [...outcomes, 'failedRuns', 'frequent'] as const)
      if (counts[outcome] !== undefined) sum[outcome] = (sum[outcome] ?? 0) + counts[outcome];
  return sum;
}

const format = new Intl.NumberFormat('en-US');
export const formatCount = (count: number): string => format.format(count);

/** Returns `1 run` or `12,000 runs`. */
export const formatRuns = (count: number): string => `${formatCount(count)} ${count === 1 ? 'run' : 'runs'}`;

/** Describes the counts: `12 upcoming, 3 missed`. */
export function formatCounts(counts: Counts): string {
  const found = outcomes.flatMap((outcome) =>
    counts[outcome] === undefined ? [] : [`${formatCount(counts[outcome])} ${outcomeLabels[outcome]}`],
  );
  if (counts.failedRuns !== undefined)
    found.push(`${formatCount(counts.failedRuns)} failed ${counts.failedRuns === 1 ? 'run' : 'runs'}`);
  return found.length === 0 ? 'no runs' : found.join(', ');
}

const levels = 5;

/**
 * Returns a density from 0 to 5 between the lowest and the highest count of a calendar. Logarithmic, so that single
 * runs stay visible next to hours with hundreds.
 */
function getDensity(count: number, { min, max }: { readonly min: number; readonly max: number }): number {
  if (count === 0) return 0;
  return max <= min ? 3 : 1 + Math.round(((levels - 1) * Math.log(count / min)) / Math.log(max / min));
}

/** Hours by date and hour of the clock. */
export class HourTable {
  /** The highest total of an hour. */
  readonly max: number;
  /** Of the counts that determine the density; see {@link HourTable.densityAt}. */
  readonly #range: { readonly min: number; readonly max: number };
  readonly #isFrequentOnly: boolean;
  readonly #hours: ReadonlyMap<string, HourCountView>;
  readonly #changes: CalendarCounts['clockChanges'];
  readonly #getZoneHour: (iso: string) => number;

  /** @param hourOf returns the hour of the clock at an instant, in the time zone of the counts */
  constructor({ hours, clockChanges }: CalendarCounts, getHour: (iso: string) => number) {
    this.#hours = new Map(hours.map((counts) => [`${counts.date} ${counts.hour}`, counts]));
    this.#changes = clockChanges;
    this.#getZoneHour = getHour;
    this.max = Math.max(0, ...hours.map(getTotal));
    this.#isFrequentOnly = hours.every((counts) => getInfrequent(counts) === 0);
    const dense = hours.map((counts) => this.#densityCount(counts)).filter((count) => count > 0);
    this.#range = { min: Math.min(...dense), max: Math.max(...dense) };
  }

  at(date: string, hour: number): Counts {
    return this.#hours.get(`${date} ${hour}`) ?? {};
  }

  /**
   * Returns the density of an hour, 0 to 5. Frequent schedules do not count, because they would make all hours look the
   * same.
   */
  densityAt(date: string, hour: number): number {
    return getDensity(this.#densityCount(this.at(date, hour)), this.#range);
  }

  #densityCount(counts: Counts): number {
    return this.#isFrequentOnly ? getTotal(counts) : getInfrequent(counts);
  }

  /** Returns the counts of a day. */
  getDay(date: string): Counts {
    return addCounts(Array.from({ length: 24 }, (_, hour) => this.at(date, hour)));
  }

  /** Describes the daylight saving change of a day. */
  getChange(date: string): string | undefined {
    const change = this.#changes.find((one) => one.date === date);
    if (change === undefined) return undefined;
    return change.minutes > 0 ? 'Clocks go forward' : 'Clocks go back';
  }

  /** Whether an hour does not exist (`skipped`) or occurs twice (`repeated`). */
  clockAt(date: string, hour: number): 'skipped' | 'repeated' | undefined {
    const change = this.#changes.find((one) => one.date === date);
    if (change === undefined || Math.abs(change.minutes) < 60) return undefined;
    const hours = change.minutes / 60;
    // After the change; before it, the clock showed this hour minus the change.
    const after = this.#getZoneHour(change.at);
    if (hours > 0) return hour >= after - hours && hour < after ? 'skipped' : undefined;
    return hour >= after && hour < after - hours ? 'repeated' : undefined;
  }
}
