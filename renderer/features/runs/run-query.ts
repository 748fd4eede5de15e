import { dagNamePattern } from '../../../core/base/ids.ts';
import { readDate } from '../../../core/spec/schedule/next-run.ts';
import { triggers, type Trigger } from '../../../core/model/run-event.ts';
import { runStatuses, type RunStatus } from '../../../core/model/run.ts';
import type { RunFilter } from '../../api/query-keys.ts';

/** Predefined time ranges of the list, as an alternative to dates. */
export const ranges = ['', 'hour', 'today', 'day', 'week', 'month'] as const;
export type RangePreset = (typeof ranges)[number];

/** The filters in the address of the list of runs. All are strings; an empty one means no filter. */
export interface RunQuery {
  readonly text: string;
  readonly name: string;
  readonly status: readonly RunStatus[];
  readonly trigger: readonly Trigger[];
  readonly queue: string;
  readonly tags: readonly string[];
  readonly range: RangePreset;
  /** Dates such as `2026-01-31`, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Seconds. */
  readonly longer: string;
  readonly shorter: string;
  /** Part of the name of the user who started it. */
  readonly startedBy: string;
  readonly subRuns: boolean;
  /** Only runs with a note. */
  readonly noted: boolean;
}

export const queryFields = [
  'text',
  'name',
  'status',
  'trigger',
  'queue',
  'tags',
  'range',
  'from',
  'to',
  'longer',
  'shorter',
  'startedBy',
  'subRuns',
  'noted',
] as const satisfies readonly (keyof RunQuery)[];

const isDay = (text: string): boolean => readDate(text) !== undefined;
const read = (params: URLSearchParams, field: (typeof queryFields)[number]): string =>
  params.get(field) ?? '';
const list = (text: string): string[] => text.split(',').filter((part) => part !== '');

/** Parses an address; invalid values are ignored. */
export function readRunQuery(params: URLSearchParams): RunQuery {
  const range = read(params, 'range') as RangePreset;
  const dates = { from: read(params, 'from'), to: read(params, 'to') };
  return {
    text: read(params, 'text'),
    name: read(params, 'name'),
    status: list(read(params, 'status')).filter((one): one is RunStatus =>
      runStatuses.includes(one as RunStatus),
    ),
    trigger: list(read(params, 'trigger')).filter((one): one is Trigger => triggers.includes(one as Trigger)),
    queue: read(params, 'queue'),
    tags: list(read(params, 'tags')),
    range: ranges.includes(range) ? range : '',
    from: isDay(dates.from) ? dates.from : '',
    to: isDay(dates.to) ? dates.to : '',
    longer: readSeconds(read(params, 'longer')),
    shorter: readSeconds(read(params, 'shorter')),
    startedBy: read(params, 'startedBy'),
    subRuns: read(params, 'subRuns') === 'yes',
    noted: read(params, 'noted') === 'yes',
  };
}

const readSeconds = (text: string): string => (/^\d{1,7}(\.\d{1,3})?$/.test(text) ? text : '');

/** Converts the filters to query parameters. */
export const writeRunQuery = (query: RunQuery): Record<(typeof queryFields)[number], string | undefined> => ({
  text: query.text,
  name: query.name,
  status: query.status.join(','),
  trigger: query.trigger.join(','),
  queue: query.queue,
  tags: query.tags.join(','),
  range: query.range,
  from: query.from,
  to: query.to,
  longer: query.longer,
  shorter: query.shorter,
  startedBy: query.startedBy,
  subRuns: query.subRuns ? 'yes' : '',
  noted: query.noted ? 'yes' : '',
});

/** Day boundaries in the displayed time zone. */
export interface DayClock {
  /** First instant of today. */
  readonly today: number;
  readonly now: number;
  /** First instant of a date, and of the next one. */
  readonly getDayBounds: (date: string) => { readonly from: number; readonly until: number } | undefined;
}

/** Converts the filters to an API request. */
export function toRunFilter(query: RunQuery, clock: DayClock): RunFilter {
  const { text, name, queue, longer, shorter } = query;
  return {
    ...(text !== '' && { text }),
    ...(new RegExp(dagNamePattern).test(name) && { name }),
    ...(query.status.length > 0 && { status: [...query.status] }),
    ...(query.trigger.length > 0 && { trigger: [...query.trigger] }),
    ...(queue !== '' && { queue }),
    ...(query.tags.length > 0 && { tags: [...query.tags] }),
    ...(longer !== '' && { minDuration: Number(longer) }),
    ...(shorter !== '' && { maxDuration: Number(shorter) }),
    ...(query.startedBy !== '' && { startedBy: query.startedBy }),
    ...(query.subRuns && { subRuns: true }),
    ...(query.noted && { hasNote: true }),
    ...readTimes(query, clock),
  };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const spans: Readonly<Record<Exclude<RangePreset, '' | 'today'>, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
};

/** Rounded to minutes, so that the list does not shift every second. */
function readTimes(
  { range, from, to }: RunQuery,
  { today, now, getDayBounds }: DayClock,
): Pick<RunFilter, 'fromDate' | 'toDate'> {
  const first = range === '' || range === 'today' ? undefined : now - spans[range];
  const start = from === '' ? (range === 'today' ? today : first) : getDayBounds(from)?.from;
  const end = to === '' ? undefined : getDayBounds(to)?.until;
  const text = (at: number): string => new Date(Math.floor(at / minuteMs) * minuteMs).toISOString();
  return {
    ...(start !== undefined && { fromDate: text(start) }),
    ...(end !== undefined && { toDate: text(end) }),
  };
}

/** Returns the number of active filters. */
export const countConditions = (query: RunQuery): number =>
  Object.values(writeRunQuery(query)).filter((value) => value !== undefined && value !== '').length;

/** A saved filter of the list of runs. */
export interface SavedView {
  readonly name: string;
  /** As after `?` in the address. */
  readonly query: string;
}

/** Storage for the views; the browser's `localStorage`. */
type NavigationItem = Pick<Storage, 'getItem' | 'setItem'>;

/** Returns the storage key. Views belong to a user of a home directory; one browser may use several. */
export const savedViewsKey = (home: string, user: string): string => `stepwright.runs.views.${home}.${user}`;

/** Reads the saved views; invalid ones are ignored. */
export function readViews(item: NavigationItem, key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(item.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedView).name === 'string' &&
  typeof (value as SavedView).query === 'string';

/** Adds or replaces a view by name, sorted by name. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => a.name.localeCompare(b.name));

/** Stores views; returns false if the storage is unavailable. */
export function storeViews(item: NavigationItem, key: string, views: readonly SavedView[]): boolean {
  try {
    item.setItem(key, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}
