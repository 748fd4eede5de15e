import Type, { type Static } from 'typebox';
import { handlerNames } from '../../model/workflow/handler-name.ts';
import { defineOperation } from '../operation.ts';
import { DagName, DefaultWorkingDir, literals, RunId, RunRefView, StepStatusView } from './run-views.ts';

/** Action for one step when a run is retried. */
export const PlannedStepView = Type.Object({
  name: Type.String(),
  action: literals(['run', 'keep']),
  /** Status before the retry; a step that does not run again keeps its status. */
  status: StepStatusView,
  /** The reason: `failed`, `depends on load, which runs again`, `succeeded before`. */
  reason: Type.String(),
});
export type PlannedStepView = Static<typeof PlannedStepView>;

/** Action of a retry for each step. */
export const RerunPlanView = Type.Object({
  /** Every step, in the order of the file. */
  steps: Type.Array(PlannedStepView),
  /** Handlers that run again; which of the closing handlers run depends on the new result. */
  handlers: Type.Array(literals(handlerNames)),
});
export type RerunPlanView = Static<typeof RerunPlanView>;

const options = {
  name: DagName,
  dagRunId: RunId,
  /**
   * Retries only this step, whatever its status. Default: all steps that failed, were aborted or never ran, and their
   * dependents.
   */
  stepName: Type.Optional(Type.String()),
  /** With `stepName`: also its dependents. */
  downstream: Type.Optional(Type.Boolean()),
};

export const rerunOperations = {
  'runs.retryPlan': defineOperation({
    summary: 'Show which steps a retry would run and which it would keep',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/retry-plan',
    input: Type.Object(options),
    output: RerunPlanView,
    errors: ['not_found', 'still_running', 'nothing_to_retry', 'invalid_spec'],
    role: 'viewer',
  }),
  'runs.retry': defineOperation({
    summary: 'Retry a finished run: all steps that did not succeed, or a single step',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/retry',
    input: Type.Object(options),
    output: Type.Object({ name: Type.String(), dagRunId: Type.String(), plan: RerunPlanView }),
    errors: [
      'not_found',
      'still_running',
      'nothing_to_retry',
      'invalid_spec',
      'max_run_reached',
      'no_worker',
      'stale_owner',
    ],
    role: 'operator',
  }),
  'runs.reschedule': defineOperation({
    summary: 'Start a new run with the workflow and parameters of an earlier run',
    method: 'POST',
    path: '/dag-runs/{name}/{fromRunId}/reschedule',
    input: Type.Object({
      name: DagName,
      fromRunId: RunId,
      /** Id of the new run. Generated if absent. */
      dagRunId: Type.Optional(RunId),
      /** Overrides the name of the new run. */
      dagName: Type.Optional(DagName),
      singleton: Type.Optional(
        Type.Boolean({
          description: 'Fail if a run of the same name is active or queued. Default: true.',
        }),
      ),
      defaultWorkingDir: Type.Optional(DefaultWorkingDir),
    }),
    output: RunRefView,
    errors: [
      'not_found',
      'still_running',
      'invalid_spec',
      'already_exists',
      'max_run_reached',
      'queue_closed',
      'no_worker',
    ],
    role: 'operator',
  }),
  'runs.restart': defineOperation({
    summary: 'Stop an active run, wait for it to end and start a new run',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/restart',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: RunRefView,
    errors: ['not_found', 'not_running', 'invalid_spec', 'max_run_reached', 'queue_closed', 'no_worker'],
    role: 'operator',
  }),
};
