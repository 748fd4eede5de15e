import Type, { type Static } from 'typebox';
import { scheduleKinds, scheduleNoteKinds, fireTimeOutcomes } from '../model/fire-time.ts';
import { dayPattern } from '../base/ids.ts';
import { maxCalendarDays } from '../model/workflow-rules.ts';
import { FileName } from './dags.ts';
import { defineOperation } from './operation.ts';
import { literals, Timestamp, dagNamed, RunRefView, RunStatusView } from './run-views.ts';

/** A scheduled time of a workflow. */
export const ScheduledTimeView = Type.Object({
  at: Timestamp,
  kind: literals(scheduleKinds),
  /**
   * Effect of a daylight saving change: `shifted`, the local time does not exist on that day and the run is later by
   * the size of the change; `repeated`, the local time occurs twice and the run is due only the first time.
   */
  change: Type.Optional(literals(['shifted', 'repeated'])),
});
export type ScheduledTimeView = Static<typeof ScheduledTimeView>;

/** A process that can run schedules. */
const SchedulerView = Type.Object({
  instanceId: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  /** Port of its health check; 0 for none. */
  port: Type.Integer(),
  /** `active`: in charge. `inactive`: on standby. `unknown`: no heartbeat for half a minute. */
  status: literals(['active', 'inactive', 'unknown']),
  startedAt: Timestamp,
});

/** All schedules of the home are paused: they start, stop and restart nothing. */
export const SchedulePauseView = Type.Object({
  since: Timestamp,
  /** When they resume automatically; absent if they must be resumed manually. */
  until: Type.Optional(Timestamp),
  /** By whom the schedules were paused. */
  by: Type.String(),
});
export type SchedulePauseView = Static<typeof SchedulePauseView>;

export const scheduleOperations = {
  'schedules.pause': defineOperation({
    summary: 'Pause all schedules of the home (manual runs still work)',
    method: 'POST',
    path: '/services/scheduler/pause',
    input: Type.Object({
      until: Type.Optional(
        Type.String({
          description:
            'Time of automatic resumption, as ISO 8601 or Unix timestamp in seconds. Default: until resumed.',
        }),
      ),
    }),
    output: Type.Object({ pause: SchedulePauseView }),
    errors: ['home_unusable'],
    role: 'operator',
    label: 'pause all schedules',
    audit: 'resource',
  }),
  'schedules.resume': defineOperation({
    summary:
      'Resume all schedules. Missed runs are handled according to the catchup setting of each workflow',
    method: 'POST',
    path: '/services/scheduler/resume',
    input: Type.Object({}),
    output: Type.Object({
      wasPaused: Type.Boolean({ description: 'Whether the schedules were paused' }),
    }),
    errors: ['home_unusable'],
    role: 'operator',
    label: 'resume all schedules',
    audit: 'resource',
  }),
  'dags.suspend': defineOperation({
    summary: 'Suspend or resume the schedule of a workflow (manual runs still work)',
    method: 'POST',
    path: '/dags/{fileName}/suspend',
    input: Type.Object({ fileName: FileName, suspend: Type.Boolean() }),
    output: Type.Object({ suspended: Type.Boolean() }),
    errors: ['not_found'],
    role: 'operator',
    label: 'suspend or resume the schedule of a workflow',
    audit: 'resource',
  }),
  'dags.nextTimes': defineOperation({
    summary: 'Get the next times of a schedule, including daylight saving changes',
    method: 'GET',
    path: '/dags/{fileName}/next-times',
    input: Type.Object({
      fileName: FileName,
      /** Default: 10. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    output: Type.Object({
      times: Type.Array(ScheduledTimeView),
      suspended: Type.Boolean(),
      zone: Type.String({ description: 'Time zone of the entries that name none' }),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'services.startScheduler': defineOperation({
    summary: 'Start a scheduler in this process, with its queues, until the process exits',
    method: 'POST',
    path: '/services/scheduler/start',
    input: Type.Object({}),
    output: Type.Object({
      wasActive: Type.Boolean({ description: 'Whether a scheduler of the home was already active' }),
    }),
    errors: ['home_unusable'],
    role: 'admin',
    label: 'start the scheduler',
    audit: 'resource',
  }),
  'services.scheduler': defineOperation({
    summary: 'List the schedulers of the home and their messages',
    method: 'GET',
    path: '/services/scheduler',
    input: Type.Object({}),
    output: Type.Object({
      schedulers: Type.Array(SchedulerView),
      /** Present while all schedules are paused. */
      pause: Type.Optional(SchedulePauseView),
      /** Newest first: clock changes, and starts that were missed or failed. */
      notes: Type.Array(
        Type.Object({
          at: Timestamp,
          kind: literals(scheduleNoteKinds),
          fileName: Type.Optional(Type.String()),
          message: Type.String(),
        }),
      ),
    }),
    errors: [],
    role: 'viewer',
  }),
};

const Zone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Time zone of the days, such as `Europe/Berlin`. Default: time zone of the engine.',
  }),
);
/** The first and last day of a calendar, and their time zone. */
export const calendarDays = (max: number) => ({
  fromDate: Type.String({ pattern: dayPattern, description: 'First day, such as `2026-01-31`' }),
  toDate: Type.String({
    pattern: dayPattern,
    description: `Last day, at most ${max} days after the first`,
  }),
  zone: Zone,
});

/** Filters of the calendar of schedules. */
const calendarFilter = {
  name: Type.Optional(dagNamed('Filter by text in the workflow or file name')),
  tags: Type.Optional(
    Type.Array(Type.String(), { maxItems: 50, description: 'Filter by tags (all must match)' }),
  ),
  group: Type.Optional(Type.String()),
  frequency: Type.Optional(
    literals(['frequent', 'infrequent'], {
      description: '`frequent`: schedules with more than one time per hour, on average over a week',
    }),
  ),
};

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
  paused: Type.Optional(
    Type.Boolean({ description: 'Upcoming, but all schedules are paused at these times' }),
  ),
  frequent: Type.Optional(Type.Boolean({ description: 'As for the filter `frequency`' })),
  reason: Type.Optional(Type.String({ description: 'Of the last run' })),
  run: Type.Optional(Type.Object({ ...RunRefView.properties, status: RunStatusView })),
});
export type CalendarEntryView = Static<typeof CalendarEntryView>;

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
/** Scheduled times within one hour of the clock, by outcome; absent outcomes have none. */
export const HourCountView = Type.Object({
  date: Type.String({ description: 'Day in the time zone of the response' }),
  hour: Type.Integer({ description: 'Hour of the clock, 0 to 23' }),
  due: count('Upcoming'),
  suspended: count('Upcoming, but the schedule of the workflow is suspended'),
  paused: count('Upcoming, but all schedules are paused at this time'),
  missed: count('Past, while no scheduler was running or all schedules were paused'),
  started: count('Started runs'),
  stopped: count('Times at which active runs were stopped'),
  restarting: count('Restarts in progress'),
  skipped: count('Past, but not started, for example because the previous run was active'),
  failed: count('Runs that could not be started'),
  failedRuns: count('Started runs that failed; included in `started`'),
  frequent: count('Times of frequent schedules, as for the filter; included in the counts above'),
});
export type HourCountView = Static<typeof HourCountView>;

export const calendarOperations = {
  'runs.calendar': defineOperation({
    summary: 'Count runs by creation day, with sub-runs counted separately',
    method: 'GET',
    path: '/calendar/runs',
    input: Type.Object({
      ...calendarDays(maxCalendarDays.runs),
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
    input: Type.Object({
      ...calendarDays(maxCalendarDays.schedules),
      hour: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 23, description: 'Only this hour of each day' }),
      ),
      ...calendarFilter,
    }),
    output: Type.Object({
      zone: Type.String(),
      entries: Type.Array(CalendarEntryView, { description: 'Sorted by first time' }),
      isComplete: Type.Boolean({
        description: 'False if entries are missing because there are more than 10,000. Counts are exact.',
      }),
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'schedules.counts': defineOperation({
    summary: 'Count past and upcoming scheduled times by hour',
    method: 'GET',
    path: '/calendar/schedules/counts',
    input: Type.Object({ ...calendarDays(maxCalendarDays.schedules), ...calendarFilter }),
    output: Type.Object({
      zone: Type.String(),
      workflows: Type.Integer({ description: 'Scheduled workflows that match the filters' }),
      hours: Type.Array(HourCountView, { description: 'Hours with scheduled times, in order' }),
      clockChanges: Type.Array(
        Type.Object({
          at: Timestamp,
          date: Type.String(),
          minutes: Type.Integer({ description: 'Positive if clocks are set forward' }),
        }),
        { description: 'Daylight saving changes in the time zone of the response' },
      ),
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};
