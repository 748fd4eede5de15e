import { fieldError } from '../../../base/errors.ts';
import { maxCalendarDays } from '../../../model/workflow/calendar.ts';
import { listDays, type Day } from '../../../schedule/days.ts';
import { findTimeZone } from '../../../schedule/zone/time-zone.ts';
import type { EngineContext } from '../../engine-context.ts';
import { collectCalendar } from './collect-calendar.ts';
import type { HandlersFor } from '../handlers.ts';

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

function readDays(
  { fromDate, toDate, zone }: { fromDate: string; toDate: string; zone?: string | undefined },
  max: number,
  { config }: EngineContext,
): { zone: string; days: Day[] } {
  const wanted = zone ?? config.tz;
  let days: Day[];
  try {
    days = listDays({ from: fromDate, to: toDate }, wanted, max + 1);
  } catch {
    throw fieldError(
      'zone',
      `unknown time zone ${JSON.stringify(wanted)}. Use a name such as Europe/Berlin.`,
    );
  }
  if (days.length === 0)
    throw fieldError('toDate', `empty range from ${fromDate} to ${toDate}. Use dates such as 2026-01-31.`);
  if (days.length > max) throw fieldError('toDate', `must be at most ${max} days after ${fromDate}`);
  return { zone: findTimeZone(wanted).name, days };
}
