import Type, { type Static } from 'typebox';
import { maxCalendarDays } from '../model/workflow-rules.ts';
import { Expect } from '../model/workflow.ts';
import { FileName } from './dags.ts';
import { defineOperation } from './operation.ts';
import { DagName, MissedView, RunId, Timestamp } from './run-views.ts';
import { calendarDays } from './schedules.ts';

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
