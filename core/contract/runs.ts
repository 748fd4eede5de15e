import Type, { type Static } from 'typebox';
import { runIdPattern } from '../base/ids.ts';
import { maxNoteLength } from '../model/run.ts';
import { triggers } from '../model/run-event.ts';
import { handlerNames } from '../model/workflow-rules.ts';
import { SourceFileName, startErrors } from './dags.ts';
import { defineOperation } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import {
  BaseText,
  dagNamed,
  DagName,
  DefaultWorkingDir,
  literals,
  RunDetailView,
  RunId,
  RunNoteView,
  RunRefView,
  RunStatusView,
  RunSummaryView,
  StepStatusView,
} from './run-views.ts';

const dateFormats = 'ISO 8601 (default zone: UTC; a date means midnight) or Unix timestamp in seconds';

/** Filters for a list of runs. There is no default filter, so old runs are found as well. */
const conditions = {
  status: Type.Optional(
    Type.Array(RunStatusView, { description: 'A status, or several statuses separated by commas over HTTP' }),
  ),
  fromDate: Type.Optional(
    Type.String({ maxLength: 40, description: `Runs created at or after this time: ${dateFormats}` }),
  ),
  toDate: Type.Optional(
    Type.String({ maxLength: 40, description: `Runs created before this time: ${dateFormats}` }),
  ),
  dagRunId: Type.Optional(RunId),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      maxItems: 50,
      description: 'Runs whose workflow had all of these tags at creation',
    }),
  ),
  trigger: Type.Optional(Type.Array(literals(triggers), { description: 'Filter by trigger' })),
  startedBy: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Filter by text in the name of the user who started the run (case-insensitive for ASCII letters)',
    }),
  ),
  queue: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Filter by queue' })),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Filter by text in the name, ID, parameters, reason or note (case-insensitive for ASCII letters)',
    }),
  ),
  hasNote: Type.Optional(Type.Boolean({ description: 'Runs with a note; `false`: runs without one' })),
  minDuration: Type.Optional(Type.Number({ minimum: 0, description: 'Minimum duration in seconds' })),
  maxDuration: Type.Optional(Type.Number({ minimum: 0, description: 'Maximum duration in seconds' })),
  subRuns: Type.Optional(Type.Boolean({ description: 'Include sub-runs' })),
};
const listFilters = { ...conditions, limit: Limit, cursor: Cursor };
const nameFilters = {
  name: Type.Optional(dagNamed('Filter by name')),
  nameContains: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Filter by text in the name (case-insensitive)',
    }),
  ),
};

const RunPage = Type.Object({
  dagRuns: Type.Array(RunSummaryView, {
    description: 'Can have fewer entries than `limit`, or none, before the last page',
  }),
  nextCursor: NextCursor,
});

export const runOperations = {
  'runs.list': defineOperation({
    summary: 'List runs, newest first',
    method: 'GET',
    path: '/dag-runs',
    input: Type.Object({ ...nameFilters, ...listFilters }),
    output: RunPage,
    errors: [],
    role: 'viewer',
  }),
  'runs.count': defineOperation({
    summary: 'Count the runs that match filters',
    method: 'GET',
    path: '/statistics/run-count',
    input: Type.Object({ ...nameFilters, ...conditions }),
    output: Type.Object({
      count: Type.Integer(),
      isComplete: Type.Boolean({ description: 'False if there may be more; `count` is a lower limit then' }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'runs.listOf': defineOperation({
    summary: 'List runs by name, newest first',
    method: 'GET',
    path: '/dag-runs/{name}',
    input: Type.Object({ name: DagName, ...listFilters }),
    output: RunPage,
    errors: [],
    role: 'viewer',
  }),
  'runs.get': defineOperation({
    summary: 'Get a run with its steps, attempts and workflow (`latest` for the newest run)',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: RunDetailView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'runs.stop': defineOperation({
    summary: 'Stop an active run gracefully, or dequeue a queued run',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/stop',
    input: Type.Object({
      name: DagName,
      dagRunId: RunId,
      force: Type.Optional(
        Type.Boolean({
          description:
            'Kill the processes immediately, including handlers, even if the run is already stopping',
        }),
      ),
    }),
    output: RunRefView,
    errors: ['not_found', 'not_running'],
    role: 'operator',
    label: 'stop a run',
    audit: 'resource',
  }),
  'runs.setNote': defineOperation({
    summary: 'Set or delete the note of a run',
    method: 'PUT',
    path: '/dag-runs/{name}/{dagRunId}/note',
    input: Type.Object({
      name: DagName,
      dagRunId: RunId,
      text: Type.String({
        maxLength: maxNoteLength,
        description: 'Note in Markdown; replaces the previous one. Empty: delete the note.',
      }),
    }),
    output: Type.Object({ name: Type.String(), dagRunId: Type.String(), note: Type.Optional(RunNoteView) }),
    errors: ['not_found'],
    role: 'operator',
    label: 'change the note of a run',
    audit: 'resource',
  }),
  'runs.start': defineOperation({
    summary: 'Start a run of an unsaved workflow, or of some of its steps',
    method: 'POST',
    path: '/dag-runs',
    input: Type.Object({
      spec: Type.String(),
      base: Type.Optional(BaseText),
      name: Type.Optional(DagName),
      params: Type.Optional(Type.String()),
      dagRunId: Type.Optional(RunId),
      /** Rejects the request while any run of the same name is active or queued. */
      singleton: Type.Optional(Type.Boolean()),
      defaultWorkingDir: Type.Optional(DefaultWorkingDir),
      fileName: SourceFileName,
      steps: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          maxItems: 10_000,
          description: 'Run only these steps, without handlers and emails',
        }),
      ),
      upTo: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'Run only this step and its dependencies, without handlers and emails',
        }),
      ),
      outputsFrom: Type.Optional(
        Type.String({
          pattern: runIdPattern,
          description:
            'With `steps`: ID of an earlier run of the same name, or `latest`. The outputs of its earlier steps are used as parameters.',
        }),
      ),
    }),
    output: RunRefView,
    errors: startErrors,
    role: 'operator',
    label: 'start a run of an unsaved workflow',
    audit: 'resource',
  }),
  'runs.deleteAll': defineOperation({
    summary: 'Delete all finished runs of a workflow with their sub-runs and logs',
    method: 'DELETE',
    path: '/dag-runs/{name}',
    input: Type.Object({ name: DagName }),
    output: Type.Object({
      removed: Type.Integer({ description: 'Number of deleted runs, including sub-runs' }),
      errors: Type.Array(Type.String(), { description: 'Log folders that could not be deleted, and why' }),
    }),
    errors: [],
    role: 'manager',
    label: 'delete the runs of a workflow',
    audit: 'resource',
  }),
  'runs.delete': defineOperation({
    summary: 'Delete a finished run with its sub-runs and logs',
    method: 'DELETE',
    path: '/dag-runs/{name}/{dagRunId}',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      removed: Type.Integer({ description: 'Number of deleted runs, including sub-runs' }),
      errors: Type.Array(Type.String(), { description: 'Log folders that could not be deleted, and why' }),
    }),
    errors: ['not_found', 'still_running'],
    role: 'manager',
    label: 'delete a run from the history',
    audit: 'resource',
  }),
};

/** Action for one step when a run is retried. */
export const PlannedStepView = Type.Object({
  name: Type.String(),
  /** With the current file also `new` (runs, added to the file) and `removed` (no longer in the file). */
  action: literals(['run', 'keep', 'new', 'removed']),
  /** Status before the retry; a step that does not run again keeps its status. */
  status: StepStatusView,
  /** The reason: `failed`, `text changed`, `depends on load, which runs again`, `already succeeded`. */
  reason: Type.String(),
});
export type PlannedStepView = Static<typeof PlannedStepView>;

/** Action of a retry for each step. */
export const RerunPlanView = Type.Object({
  /** Every step, in the order of the file, then the removed steps. */
  steps: Type.Array(PlannedStepView),
  /** Handlers that run again; which of the closing handlers run depends on the new result. */
  handlers: Type.Array(literals(handlerNames)),
  /** Text that the retry uses. */
  spec: Type.Optional(literals(['run', 'file'])),
  /** The file of the run; absent if the run was not started from a file. */
  file: Type.Optional(
    Type.Object({
      state: literals(['unchanged', 'changed', 'invalid', 'missing'], {
        description: 'Whether the file still has the text of the run',
      }),
      problem: Type.Optional(Type.String({ description: 'Why the file cannot be used, with the line' })),
    }),
  ),
  /** Removed steps that succeeded. A retry requires `acceptRemoved` if there are any. */
  lost: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        renamedTo: Type.Optional(Type.String({ description: 'The new step with the same text' })),
      }),
    ),
  ),
});
export type RerunPlanView = Static<typeof RerunPlanView>;

const options = {
  name: DagName,
  dagRunId: RunId,
  /**
   * Retries only this step, regardless of its status. Default: all steps that failed, were aborted or never ran, and their
   * dependents.
   */
  stepName: Type.Optional(Type.String()),
  /** With `stepName`: also its dependents. */
  downstream: Type.Optional(Type.Boolean()),
  from: Type.Optional(
    Type.String({ description: 'Start with this step and its dependents: `stepName` with `downstream`' }),
  ),
  spec: Type.Optional(
    literals(['run', 'file'], {
      description:
        'Text to use: of the run (default), or of its current file. The run then keeps the results that are still valid, and has the new text.',
    }),
  ),
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
    input: Type.Object({
      ...options,
      acceptRemoved: Type.Optional(
        Type.Boolean({
          description:
            'With `spec: file`: go on although steps that succeeded were removed from the file or renamed',
        }),
      ),
    }),
    output: Type.Object({ name: Type.String(), dagRunId: Type.String(), plan: RerunPlanView }),
    errors: [
      'not_found',
      'still_running',
      'nothing_to_retry',
      'invalid_spec',
      'max_run_reached',
      'no_worker',
      'stale_owner',
      'conflict',
    ],
    role: 'operator',
    label: 'retry a run',
    audit: 'resource',
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
    label: 'run an earlier run again',
    audit: 'resource',
  }),
  'runs.restart': defineOperation({
    summary: 'Stop an active run, wait for it to end and start a new run',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/restart',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: RunRefView,
    errors: ['not_found', 'not_running', 'invalid_spec', 'max_run_reached', 'queue_closed', 'no_worker'],
    role: 'operator',
    label: 'restart a run',
    audit: 'resource',
  }),
};
