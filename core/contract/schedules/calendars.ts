import Type, { type Static } from 'typebox';
import { dayPattern } from '../../base/ids.ts';
import { maxCalendarDays } from '../../model/workflow/calendar.ts';
import { scheduleKinds, fireTimeOutcomes } from '../../model/run/fire-time.ts';
import { defineOperation } from '../operation.ts';
import { dagNamed, literals, RunRefView, RunStatusView, Timestamp } from '../runs/run-views.ts';

const Zone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Time zone of the days, such as `Europe/Berlin`. Default: time zone of the engine.',
  }),
);
const days = (max: number) => ({
  fromDate: Type.String({ pattern: dayPattern, description: 'First day, such as `2026-01-31`' }),
  toDate: Type.String({
    pattern: dayPattern,
    description: `Last day, at most ${max} days after the first`,
  }),
  zone: Zone,
});

/** Times of one schedule on one day with the same outcome. */
export const CalendarEntryView = Type.Object({
  fileName: Type.String(),
  name: Type.String({ description: 'Workflow name' }),
  kind: literals(scheduleKinds),
  date: Type.String({ description: 'Day in the time zone of the response' }),
  outcome: literals(['due', 'suspended', ...fireTimeOutcomes], {
    description:
      '`due`: upcoming. `suspended`: upcoming, but the schedule is suspended. `skipped`: not started, see `reason`',
  }),
  count: Type.Integer(),
  first: Timestamp,
  last: Timestamp,
  reason: Type.Optional(Type.String({ description: 'Of the last run' })),
  run: Type.Optional(Type.Object({ ...RunRefView.properties, status: RunStatusView })),
});
export type CalendarEntryView = Static<typeof CalendarEntryView>;

export const calendarOperations = {
  'runs.calendar': defineOperation({
    summary: 'Count runs by creation day, with sub-runs counted separately',
    method: 'GET',
    path: '/calendar/runs',
    input: Type.Object({
      ...days(maxCalendarDays.runs),
      name: Type.Optional(dagNamed('Filter by name')),
    }),
    output: Type.Object({
      zone: Type.String(),
      days: Type.Array(
        Type.Object({
          date: Type.String(),
          total: Type.Integer(),
          failed: Type.Integer(),
        }),
        { description: 'Days with runs, in order' },
      ),
      isComplete: Type.Boolean({
        description:
          'False if there are too many runs to count. The counts of the oldest days are then too low.',
      }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'schedules.calendar': defineOperation({
    summary: 'Get past and upcoming scheduled runs by day',
    method: 'GET',
    path: '/calendar/schedules',
    input: Type.Object(days(maxCalendarDays.schedules)),
    output: Type.Object({
      zone: Type.String(),
      entries: Type.Array(CalendarEntryView, { description: 'Sorted by first time' }),
      isComplete: Type.Boolean({
        description: 'False if the list is incomplete because there are too many times',
      }),
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};
