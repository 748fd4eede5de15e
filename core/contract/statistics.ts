import Type, { type Static } from 'typebox';
import { maxCalendarDays } from '../model/workflow-rules.ts';
import { defineOperation } from './operation.ts';
import {
  DagName,
  RunRefView,
  RunStatusView,
  RunSummaryView,
  StepStatusView,
  Timestamp,
} from './run-views.ts';
import { calendarDays } from './schedules.ts';

/** Number of finished runs by outcome, by the day on which they were created. */
export const DayOutcomesView = Type.Object({
  date: Type.String({ description: 'Day, such as `2026-01-31`' }),
  succeeded: Type.Integer(),
  partiallySucceeded: Type.Integer(),
  failed: Type.Integer(),
  aborted: Type.Integer(),
  averageSeconds: Type.Optional(
    Type.Number({ description: 'Average duration in seconds. Missing without a finished run that started.' }),
  ),
});
export type DayOutcomesView = Static<typeof DayOutcomesView>;

/** Failed runs with the same error, of one or more workflows. */
export const FailureGroupView = Type.Object({
  cause: Type.String({ description: 'Error message without the parts that differ from run to run' }),
  runs: Type.Integer({ description: 'Number of failed runs' }),
  firstAt: Timestamp,
  lastAt: Timestamp,
  latestRun: RunRefView,
  workflows: Type.Array(
    Type.Object({ name: Type.String(), runs: Type.Integer({ description: 'Number of failed runs' }) }),
    {
      description: 'Workflows with this failure, latest first',
    },
  ),
});
export type FailureGroupView = Static<typeof FailureGroupView>;

export const statisticsOperations = {
  'runs.statistics': defineOperation({
    summary: 'Count the outcomes of runs by day, without sub-runs',
    method: 'GET',
    path: '/statistics/runs',
    input: Type.Object(calendarDays(maxCalendarDays.statistics)),
    output: Type.Object({
      zone: Type.String(),
      active: Type.Object(
        { notStarted: Type.Integer(), queued: Type.Integer(), running: Type.Integer() },
        { description: 'Active runs now, on any day' },
      ),
      days: Type.Array(DayOutcomesView, { description: 'Every day, in order' }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'runs.failures': defineOperation({
    summary: 'Group failed runs by cause, latest first, without sub-runs',
    method: 'GET',
    path: '/statistics/failures',
    input: Type.Object({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 90,
          description: 'Runs created in this many days before now. Default: 7.',
        }),
      ),
    }),
    output: Type.Object({
      failures: Type.Array(FailureGroupView, { description: 'At most 100' }),
      isComplete: Type.Boolean({
        description: 'False if there are too many failed runs. Only the latest ones are grouped then.',
      }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'runs.stepHistory': defineOperation({
    summary: 'Get the status of each step in the newest runs of a workflow',
    method: 'GET',
    path: '/statistics/steps',
    input: Type.Object({
      name: DagName,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Number of runs. Default: 25.' }),
      ),
    }),
    output: Type.Object({
      runs: Type.Array(
        Type.Object({
          run: RunSummaryView,
          steps: Type.Array(Type.Object({ name: Type.String(), status: StepStatusView }), {
            description: 'Steps that have started or were skipped',
          }),
        }),
        { description: 'Newest first' },
      ),
    }),
    errors: [],
    role: 'viewer',
  }),
  'runs.recent': defineOperation({
    summary: 'Get the status of the 10 newest runs of workflows, without sub-runs',
    method: 'GET',
    path: '/statistics/recent',
    input: Type.Object({
      names: Type.Array(DagName, { minItems: 1, maxItems: 100, description: 'Workflow names' }),
    }),
    output: Type.Object({
      workflows: Type.Array(
        Type.Object({
          name: Type.String(),
          runs: Type.Array(Type.Object({ dagRunId: Type.String(), status: RunStatusView }), {
            description: 'Newest first',
          }),
        }),
        { description: 'Workflows with a run' },
      ),
    }),
    errors: [],
    role: 'viewer',
  }),
  'runs.durations': defineOperation({
    summary: 'Get the usual duration of workflows',
    method: 'GET',
    path: '/statistics/durations',
    input: Type.Object({
      names: Type.Array(DagName, { minItems: 1, maxItems: 100, description: 'Workflow names' }),
    }),
    output: Type.Object({
      durations: Type.Array(
        Type.Object({
          name: Type.String(),
          medianSeconds: Type.Number({ description: 'Median of the last 20 successful runs, in seconds' }),
        }),
        { description: 'Workflows with a successful run' },
      ),
    }),
    errors: [],
    role: 'viewer',
  }),
};
