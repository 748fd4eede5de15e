import Type, { type Static } from 'typebox';
import { receiverNamePattern } from '../base/ids.ts';
import { pingKinds, pingStatuses } from '../model/expectation.ts';
import { maxCalendarDays } from '../model/workflow-rules.ts';
import { Expect } from '../model/workflow.ts';
import { defineOperation } from './operation.ts';
import { Limit } from './paging.ts';
import { literals, Timestamp, DagName, MissedView, RunId } from './run-views.ts';
import { FileName } from './dags.ts';
import { calendarDays } from './schedules.ts';

const name = Type.String({
  pattern: receiverNamePattern,
  description: 'Name of the check: at most 64 characters, A-Za-z0-9_.-',
});
const year = 366 * 86_400;

/** Settings of a check, except its name. */
const settings = {
  schedule: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Cron expression of the expected pings. Either this or `periodSec`.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Time zone of `schedule`, such as Europe/Berlin. Default: configured or system time zone.',
    }),
  ),
  periodSec: Type.Optional(
    Type.Integer({ minimum: 60, maximum: year, description: 'Longest time between pings, in seconds' }),
  ),
  graceSec: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: year,
      description:
        'How late a ping may be, and how long a job may run, in seconds. Default: 3600 (one hour).',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description: 'Tags' }),
  ),
};

/** A check of a job that runs elsewhere. */
export const PingCheckView = Type.Object({
  name: Type.String(),
  status: literals(pingStatuses, {
    description:
      'new: no ping yet; ok; running: started; late: overdue within its grace time; missing: overdue; failed: the job reported a failure',
  }),
  schedule: Type.Optional(Type.String({ description: 'Cron expression of the expected pings' })),
  timezone: Type.Optional(Type.String({ description: 'Time zone of `schedule`' })),
  periodSec: Type.Optional(Type.Integer({ description: 'Longest time between pings, in seconds' })),
  graceSec: Type.Integer({
    description: 'How late a ping may be, and how long a job may run, in seconds',
  }),
  tags: Type.Array(Type.String()),
  createdAt: Timestamp,
  lastPingAt: Type.Optional(Type.With(Timestamp, { description: 'Time of the last ping' })),
  expectedAt: Type.Optional(Type.With(Timestamp, { description: 'When the next ping is expected' })),
  missingAt: Type.Optional(
    Type.With(Timestamp, {
      description: 'From when on the next ping is missing: expected time plus grace time',
    }),
  ),
});
export type PingCheckView = Static<typeof PingCheckView>;

/** A check with its address. */
export const PingCheckDetailView = Type.Object({
  ...PingCheckView.properties,
  url: Type.String({ description: 'URL to ping. Anyone with this URL can ping.' }),
});
export type PingCheckDetailView = Static<typeof PingCheckDetailView>;

/** A ping, or a missing one. */
export const PingView = Type.Object({
  id: Type.String(),
  at: Type.With(Timestamp, { description: 'Time of receipt, or when it became missing' }),
  kind: literals(pingKinds, { description: 'What the job reported; missing: no ping in time' }),
  exitCode: Type.Optional(Type.Integer({ description: 'Exit code in the URL' })),
  durationMs: Type.Optional(
    Type.Integer({ description: 'Time since the start of the job, in milliseconds' }),
  ),
  method: Type.Optional(Type.String({ description: 'HTTP method' })),
  address: Type.Optional(Type.String({ description: 'Remote address' })),
  userAgent: Type.Optional(Type.String({ description: 'User-Agent of the request' })),
  body: Type.Optional(
    Type.String({ description: 'First 10 kB of the request body, or why a ping is missing' }),
  ),
});
export type PingView = Static<typeof PingView>;

export const pingOperations = {
  'pings.list': defineOperation({
    summary: 'List the ping checks, sorted by name',
    method: 'GET',
    path: '/pings',
    input: Type.Object({}),
    output: Type.Object({ checks: Type.Array(PingCheckView, { description: 'Checks, sorted by name' }) }),
    errors: [],
    role: 'viewer',
  }),
  'pings.create': defineOperation({
    summary: 'Create a ping check',
    method: 'POST',
    path: '/pings',
    status: 201,
    input: Type.Object({ name, ...settings }),
    output: PingCheckDetailView,
    errors: ['already_exists'],
    role: 'manager',
    label: 'create a ping check',
    audit: 'resource',
  }),
  'pings.get': defineOperation({
    summary: 'Get a ping check with its URL',
    method: 'GET',
    path: '/pings/{name}',
    input: Type.Object({ name }),
    output: PingCheckDetailView,
    errors: ['not_found'],
    role: 'operator',
    label: 'see the URL of a ping check',
  }),
  'pings.update': defineOperation({
    summary: 'Update a ping check (omitted fields are not changed)',
    method: 'PATCH',
    path: '/pings/{name}',
    input: Type.Object({
      name,
      newName: Type.Optional(Type.With(name, { description: 'New name of the check' })),
      ...settings,
    }),
    output: PingCheckDetailView,
    errors: ['not_found', 'already_exists'],
    role: 'manager',
    label: 'change a ping check',
    audit: 'resource',
  }),
  'pings.delete': defineOperation({
    summary: 'Delete a ping check and its pings',
    method: 'DELETE',
    path: '/pings/{name}',
    input: Type.Object({ name }),
    output: PingCheckView,
    errors: ['not_found'],
    role: 'manager',
    label: 'delete a ping check',
    audit: 'resource',
  }),
  'pings.history': defineOperation({
    summary: 'List the pings of a check, newest first (the last 100 are stored)',
    method: 'GET',
    path: '/pings/{name}/history',
    input: Type.Object({ name, limit: Limit }),
    output: Type.Object({ pings: Type.Array(PingView, { description: 'Pings, newest first' }) }),
    errors: ['not_found'],
    role: 'viewer',
  }),
};

/** How long the successful runs of a workflow take. */
export const UsualDurationView = Type.Object({
  runs: Type.Integer({ description: 'Number of recent successful runs, at most 20' }),
  neededRuns: Type.Integer({ description: 'Number of runs that `longest: 2x usual` needs' }),
  medianSeconds: Type.Optional(Type.Number({ description: 'Median duration in seconds' })),
});
export type UsualDurationView = Static<typeof UsualDurationView>;

const Missed = Type.Array(MissedView, { description: 'Missed expectations, newest first' });

export const expectationOperations = {
  'dags.expectations': defineOperation({
    summary: 'Get what is expected of a workflow, and what was missed',
    method: 'GET',
    path: '/dags/{fileName}/expectations',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({
      expect: Type.Optional(Type.With(Expect, { description: '`expect` of the workflow' })),
      zone: Type.String({ description: 'Time zone of `by`' }),
      nextDeadline: Type.Optional(Type.With(Timestamp, { description: 'Next deadline of `by`' })),
      lastSuccessAt: Type.Optional(
        Type.With(Timestamp, { description: 'When the last successful run ended' }),
      ),
      usual: Type.With(UsualDurationView, { description: 'Usual duration of successful runs' }),
      missed: Missed,
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'runs.expectations': defineOperation({
    summary: 'Get which expectations a run has missed, and the usual duration',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/expectations',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      missed: Missed,
      usual: Type.With(UsualDurationView, { description: 'Usual duration of successful runs' }),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'schedules.missed': defineOperation({
    summary: 'List late, long and missing runs of a range of days, newest first (at most 1000)',
    method: 'GET',
    path: '/schedules/missed',
    input: Type.Object(calendarDays(maxCalendarDays.schedules)),
    output: Type.Object({
      zone: Type.String({ description: 'Time zone of the days' }),
      missed: Type.Array(
        Type.Object({
          fileName: Type.String(),
          name: Type.String(),
          ...MissedView.properties,
        }),
        { description: 'Missed expectations, newest first' },
      ),
    }),
    errors: [],
    role: 'viewer',
  }),
};
