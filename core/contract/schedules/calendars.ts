import Type, { type Static } from 'typebox';
import { dayPattern } from '../../base/ids.ts';
import { longestCalendar } from '../../model/workflow/calendar.ts';
import { scheduleKinds, slotOutcomes } from '../../model/run/slot.ts';
import { defineOperation } from '../operation.ts';
import { dagNamed, literals, RunRefView, RunStatusView, Timestamp } from '../runs/run-views.ts';

const Zone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Time zone that days are of, such as `Europe/Berlin`; that of the engine when absent',
  }),
);
const days = (most: number) => ({
  fromDate: Type.String({ pattern: dayPattern, description: 'First day, such as `2026-01-31`' }),
  toDate: Type.String({
    pattern: dayPattern,
    description: `Last day; at most ${most} days after the first one`,
  }),
  zone: Zone,
});

/** Times of one schedule on one day that have come to the same. */
export const CalendarEntryView = Type.Object({
  fileName: Type.String(),
  name: Type.String({ description: 'Of the workflow' }),
  kind: literals(scheduleKinds),
  date: Type.String({ description: 'The day in the time zone of the answer' }),
  outcome: literals(['due', 'suspended', ...slotOutcomes], {
    description:
      '`due`: it is to come. `suspended`: it would come, but its schedule rests. `skipped`: nothing was started, for `reason`',
  }),
  count: Type.Integer(),
  first: Timestamp,
  last: Timestamp,
  reason: Type.Optional(Type.String({ description: 'Of the last one' })),
  run: Type.Optional(Type.Object({ ...RunRefView.properties, status: RunStatusView })),
});
export type CalendarEntryView = Static<typeof CalendarEntryView>;

export const calendarOperations = {
  'runs.calendar': defineOperation({
    summary: 'Counts runs by the days on which they were created, sub-runs apart',
    method: 'GET',
    path: '/calendar/runs',
    input: Type.Object({
      ...days(longestCalendar.runs),
      name: Type.Optional(dagNamed('Only runs of this name')),
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
          'False when there are too many runs to count: the counts of the oldest days are too low then',
      }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'schedules.calendar': defineOperation({
    summary: 'What schedules have done and will do, day by day',
    method: 'GET',
    path: '/calendar/schedules',
    input: Type.Object(days(longestCalendar.schedules)),
    output: Type.Object({
      zone: Type.String(),
      entries: Type.Array(CalendarEntryView, { description: 'In the order of their first times' }),
      isComplete: Type.Boolean({ description: 'False when there are too many times to tell them all' }),
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};
