import Type from 'typebox';
import { defineOperation } from './operation.ts';
import { DagName, RunDetailView, RunId, RunRefView, RunStatusView, RunSummaryView } from './run-views.ts';

export const runOperations = {
  'runs.list': defineOperation({
    summary: 'Lists runs, newest first',
    method: 'GET',
    path: '/dag-runs',
    input: Type.Object({
      name: Type.Optional(DagName),
      /** One status, or several separated by commas over HTTP. */
      status: Type.Optional(Type.Array(RunStatusView)),
      /** Include runs started by a step of another run. */
      subRuns: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the page before. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ dagRuns: Type.Array(RunSummaryView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'viewer',
  }),
  'runs.get': defineOperation({
    summary: 'Shows one run with its steps, attempts and workflow; `latest` stands for the newest',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: RunDetailView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'runs.subRuns': defineOperation({
    summary: 'Lists the runs that steps of this run have started, oldest first (seed 1, Endpoints)',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({ subRuns: Type.Array(RunSummaryView) }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'runs.stop': defineOperation({
    summary:
      'Asks an active run to stop; its abort and exit handlers run. One that waits in a queue is dequeued',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/stop',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: RunRefView,
    errors: ['not_found', 'not_running'],
    role: 'operator',
  }),
  'runs.start': defineOperation({
    summary: 'Creates and starts a run from an inline spec, without a DAG file (seed 1, Endpoints)',
    method: 'POST',
    path: '/dag-runs',
    input: Type.Object({
      spec: Type.String(),
      name: Type.Optional(DagName),
      params: Type.Optional(Type.String()),
      dagRunId: Type.Optional(RunId),
      /** Refuse while any run of the same name is active or waits. */
      singleton: Type.Optional(Type.Boolean()),
    }),
    output: RunRefView,
    errors: [
      'invalid_spec',
      'already_exists',
      'max_run_reached',
      'still_running',
      'queue_closed',
      'no_worker',
    ],
    role: 'operator',
  }),
};
