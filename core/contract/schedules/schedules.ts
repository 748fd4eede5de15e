import Type, { type Static } from 'typebox';
import { scheduleKinds, scheduleNoteKinds } from '../../model/run/slot.ts';
import { FileName } from '../workflows/dags.ts';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

/** A time at which something of a workflow is due. */
export const ScheduledTimeView = Type.Object({
  at: Timestamp,
  kind: literals(scheduleKinds),
  /**
   * What a change of the clock does to it: `shifted`, its wall time does not exist on that day and it is later by as
   * much as the clock jumps; `repeated`, its wall time comes twice and it is due the first time only.
   */
  change: Type.Optional(literals(['shifted', 'repeated'])),
});
export type ScheduledTimeView = Static<typeof ScheduledTimeView>;

/** A process that can serve schedules. */
const SchedulerView = Type.Object({
  instanceId: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  /** Of its health check; 0 for none. */
  port: Type.Integer(),
  /** `active`: it works. `inactive`: it would take over. `unknown`: it has given no sign of life for half a minute. */
  status: literals(['active', 'inactive', 'unknown']),
  startedAt: Timestamp,
});

/** All schedules of the home rest: nothing is started, stopped or restarted by them. */
export const SchedulePauseView = Type.Object({
  since: Timestamp,
  /** When they count again by themselves; absent when somebody has to say so. */
  until: Type.Optional(Timestamp),
  /** Who has asked for it. */
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
  }),
  'dags.suspend': defineOperation({
    summary: 'Suspend or resume the schedule of a workflow (manual runs still work)',
    method: 'POST',
    path: '/dags/{fileName}/suspend',
    input: Type.Object({ fileName: FileName, suspend: Type.Boolean() }),
    output: Type.Object({ suspended: Type.Boolean() }),
    errors: ['not_found'],
    role: 'operator',
  }),
  'dags.nextTimes': defineOperation({
    summary: 'Get the next times of a schedule, including daylight saving changes',
    method: 'GET',
    path: '/dags/{fileName}/next-times',
    input: Type.Object({
      fileName: FileName,
      /** How many; 10 when absent. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    output: Type.Object({ times: Type.Array(ScheduledTimeView), suspended: Type.Boolean() }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'services.scheduler': defineOperation({
    summary: 'List the schedulers of the home and their messages',
    method: 'GET',
    path: '/services/scheduler',
    input: Type.Object({}),
    output: Type.Object({
      schedulers: Type.Array(SchedulerView),
      /** While all schedules rest. */
      pause: Type.Optional(SchedulePauseView),
      /** Newest first: jumps of the clock, starts that were missed or failed. */
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
