import Type from 'typebox';
import { FileName } from '../workflows/dags.ts';
import { defineOperation } from '../operation.ts';
import { Cursor, NextCursor } from '../paging.ts';
import { RunDetailView, RunId, RunSummaryView, StepStatusView } from './run-views.ts';

/** The runs of one workflow file, by the name its workflow has. */
export const dagRunOperations = {
  'dags.runs': defineOperation({
    summary: 'Lists the runs of a workflow, newest first, with the status of every step in each',
    method: 'GET',
    path: '/dags/{fileName}/dag-runs',
    input: Type.Object({
      fileName: FileName,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Runs of a page, at most; 30 when absent' }),
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
              'One for each of `dagRuns`, in their order; null for a run that has no record of the step',
          }),
        }),
        { description: 'Steps in the order of the file, then those that it has no more, then handlers' },
      ),
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.run': defineOperation({
    summary: 'Shows one run of a workflow; `latest` stands for the newest',
    method: 'GET',
    path: '/dags/{fileName}/dag-runs/{dagRunId}',
    input: Type.Object({ fileName: FileName, dagRunId: RunId }),
    output: RunDetailView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.stopAll': defineOperation({
    summary: 'Asks every active run of a workflow to stop, and takes its waiting ones out of their queues',
    method: 'POST',
    path: '/dags/{fileName}/stop-all',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({
      stopped: Type.Integer({ description: 'Runs that were active or waited' }),
      errors: Type.Array(Type.String(), { description: 'Why others could not be told, one line each' }),
    }),
    errors: ['not_found'],
    role: 'operator',
  }),
};
