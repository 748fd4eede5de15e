import Type from 'typebox';
import { FileName } from '../workflows/dags.ts';
import { defineOperation } from '../operation.ts';
import { Cursor, NextCursor } from '../paging.ts';
import { RunDetailView, RunId, RunSummaryView, StepStatusView } from './run-views.ts';

/** Runs of one workflow file, by the name of its workflow. */
export const dagRunOperations = {
  'dags.runs': defineOperation({
    summary: 'List the runs of a workflow with the status of every step, newest first',
    method: 'GET',
    path: '/dags/{fileName}/dag-runs',
    input: Type.Object({
      fileName: FileName,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'Maximum number of runs per page. Default: 30.',
        }),
      ),
      cursor: Cursor,
    }),
    output: Type.Object({
      dagRuns: Type.Array(RunSummaryView),
      gridData: Type.Array(
        Type.Object({
          name: Type.String(),
          section: Type.Unsafe<'step' | 'handler'>({ type: 'string', enum: ['step', 'handler'] }),
          history: Type.Array(Type.Union([StepStatusView, Type.Null()]), {
            description:
              'Status per run, in the order of `dagRuns`. Null if the run has no record of the step.',
          }),
        }),
        { description: 'Steps in file order, then removed steps, then handlers' },
      ),
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.run': defineOperation({
    summary: 'Get a run of a workflow (`latest` for the newest run)',
    method: 'GET',
    path: '/dags/{fileName}/dag-runs/{dagRunId}',
    input: Type.Object({ fileName: FileName, dagRunId: RunId }),
    output: RunDetailView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.stopAll': defineOperation({
    summary: 'Stop all active runs of a workflow and dequeue its queued runs',
    method: 'POST',
    path: '/dags/{fileName}/stop-all',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({
      stopped: Type.Integer({ description: 'Number of active and queued runs' }),
      errors: Type.Array(Type.String(), {
        description: 'Reasons that other runs could not be stopped, one line each',
      }),
    }),
    errors: ['not_found'],
    role: 'operator',
  }),
};
