import { refuseField } from '../../../base/errors.ts';
import { longestCalendar } from '../../../model/workflow/calendar.ts';
import { listDays, type Day } from '../../../schedule/days.ts';
import { findTimeZone } from '../../../schedule/zone/time-zone.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { collectCalendar } from './collect-calendar.ts';
import type { HandlersFor } from '../handlers.ts';

/** Calendar operations on runs and schedules. */
export const calendarHandlers: HandlersFor<'runs.calendar' | 'schedules.calendar'> = {
  'runs.calendar': ({ name, ...span }, parts) => {
    const { zone, days } = readDays(span, longestCalendar.runs, parts);
    const { counts, isComplete } = parts.store.countByDay({ days, ...(name !== undefined && { name }) });
    return {
      zone,
      days: days
        .map(({ date }, index) => ({ date, ...counts[index]! }))
        .filter(({ total, failed }) => total + failed > 0),
      isComplete,
    };
  },
  'schedules.calendar': async (span, parts) => {
    const { zone, days } = readDays(span, longestCalendar.schedules, parts);
    return { zone, ...(await collectCalendar(days, zone, parts)) };
  },
};

function readDays(
  { fromDate, toDate, zone }: { fromDate: string; toDate: string; zone?: string | undefined },
  most: number,
  { config }: EngineParts,
): { zone: string; days: Day[] } {
  const wanted = zone ?? config.tz;
  let days: Day[];
  try {
    days = listDays({ from: fromDate, to: toDate }, wanted, most + 1);
  } catch {
    throw refuseField(
      'zone',
      `unknown time zone ${JSON.stringify(wanted)}. Use a name such as Europe/Berlin.`,
    );
  }
  if (days.length === 0)
    throw refuseField('toDate', `empty range from ${fromDate} to ${toDate}. Use dates such as 2026-01-31.`);
  if (days.length > most) throw refuseField('toDate', `must be at most ${most} days after ${fromDate}`);
  return { zone: findTimeZone(wanted).name, days };
}
