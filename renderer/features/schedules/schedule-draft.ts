import { oneTimePattern } from '../../../core/model/workflow-rules.ts';
import { findExpressionError } from '../../../core/spec/rules/schedule.ts';
import { addDays, toDate } from '../../format/time.ts';

/** The kinds of schedules that need no cron expression, and `cron` for any other. */
export const scheduleKinds = [
  'minutes',
  'hourly',
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'once',
  'cron',
] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

/** What the form of a schedule contains; each kind uses some of the fields. */
export interface ScheduleDraft {
  readonly kind: ScheduleKind;
  /** Minutes between runs. */
  readonly every: number;
  /** Minute of the hour. */
  readonly minute: number;
  /** `06:30` */
  readonly time: string;
  /** Days of the week; 0 for Sunday. */
  readonly weekdays: readonly number[];
  /** Day of the month, or `L` for the last one. */
  readonly day: string;
  /** `2026-12-01` */
  readonly date: string;
  readonly cron: string;
  /** IANA name. */
  readonly zone: string;
}

/** Intervals that divide an hour, so that the runs are evenly spaced. */
export const intervals = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30] as const;

/** Returns the draft of a new schedule: daily at 06:00. */
export const createDraft = (zone: string, now: number): ScheduleDraft => ({
  kind: 'daily',
  every: 15,
  minute: 0,
  time: '06:00',
  weekdays: [1],
  day: '1',
  date: addDays(toDate(now), 1),
  cron: '',
  zone,
});

/** Returns the expression of a draft: a cron expression, or a date with a time. */
export function toExpression(draft: ScheduleDraft): string {
  const [hour = 0, minute = 0] = draft.time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  switch (draft.kind) {
    case 'minutes':
      return draft.every === 1 ? '* * * * *' : `*/${draft.every} * * * *`;
    case 'hourly':
      return `${draft.minute} * * * *`;
    case 'daily':
      return `${at} * * *`;
    case 'weekdays':
      return `${at} * * 1-5`;
    case 'weekly':
      return `${at} * * ${draft.weekdays.toSorted((a, b) => a - b).join(',')}`;
    case 'monthly':
      return `${at} ${draft.day} * *`;
    case 'once':
      return `${draft.date}T${draft.time}`;
    case 'cron':
      return draft.cron.trim();
  }
}

/** Returns why a draft cannot be saved; undefined if it can. */
export function findDraftError(draft: ScheduleDraft): string | undefined {
  if (draft.kind === 'weekly' && draft.weekdays.length === 0) return 'Select at least one day.';
  if (!['minutes', 'hourly', 'cron'].includes(draft.kind) && draft.time === '') return 'Enter a time.';
  if (draft.kind === 'once' && draft.date === '') return 'Enter a date.';
  if (draft.kind === 'cron' && draft.cron.trim() === '') return 'Enter a cron expression.';
  const reason = findExpressionError(toExpression(draft));
  return reason === undefined ? undefined : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
}

const time = (hour: string | undefined, minute: string | undefined): string =>
  `${hour?.padStart(2, '0')}:${minute?.padStart(2, '0')}`;

/** Reads an expression into a draft: as a preset if it has the form of one, otherwise as `cron`. */
export function readDraft(expression: string, base: ScheduleDraft): ScheduleDraft {
  const once = oneTimePattern.exec(expression);
  if (once) return { ...base, kind: 'once', date: once[1]!, time: once[2]! };
  const draft = { ...base, cron: expression };
  const every = /^(?:\*|\*\/(\d+)) \* \* \* \*$/.exec(expression);
  const interval = Number(every?.[1] ?? 1);
  if (every && intervals.some((known) => known === interval))
    return { ...draft, kind: 'minutes', every: interval };
  const hourly = /^(\d{1,2}) \* \* \* \*$/.exec(expression);
  if (hourly) return { ...draft, kind: 'hourly', minute: Number(hourly[1]) };
  const [, minute, hour, day, weekdays] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}|L) \* (\*|1-5|[0-6](?:,[0-6])*)$/.exec(expression) ?? [];
  if (minute === undefined || (day !== '*' && weekdays !== '*')) return { ...draft, kind: 'cron' };
  const at = { ...draft, time: time(hour, minute) };
  if (day !== '*') return { ...at, kind: 'monthly', day: day! };
  if (weekdays === '*') return { ...at, kind: 'daily' };
  if (weekdays === '1-5') return { ...at, kind: 'weekdays' };
  return { ...at, kind: 'weekly', weekdays: weekdays!.split(',').map(Number) };
}
