import Type from 'typebox';
import { LogLines, logRange, stepLogPathFields } from './logs.ts';
import { defineOperation } from '../operation.ts';
import { Cursor, NextCursor } from '../paging.ts';
import { DagName, RunDetailView, RunId, RunSummaryView } from './run-views.ts';

/** A run below another one, at any depth. */
const subRunAddress = { name: DagName, dagRunId: RunId, subRunId: RunId };

const subRunPath = '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subRunId}';

export const subRunOperations = {
  'runs.subRuns': defineOperation({
    summary: 'List the sub-runs of this run, oldest first',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs',
    input: Type.Object({
      name: DagName,
      dagRunId: RunId,
      deep: Type.Optional(Type.Boolean({ description: 'Include nested sub-runs. See `parent`.' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'Maximum number of runs per page. Default: 1000.',
        }),
      ),
      cursor: Cursor,
    }),
    output: Type.Object({ subRuns: Type.Array(RunSummaryView), nextCursor: NextCursor }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'runs.subRun': defineOperation({
    summary: 'Get a direct or nested sub-run with its steps, attempts and workflow',
    method: 'GET',
    path: subRunPath,
    input: Type.Object(subRunAddress),
    output: RunDetailView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.subRun': defineOperation({
    summary: 'Read lines of the log of a sub-run',
    method: 'GET',
    path: `${subRunPath}/log`,
    input: Type.Object({ ...subRunAddress, ...logRange }),
    output: LogLines,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.subRunLines': defineOperation({
    summary: 'Read lines of a step log of a sub-run',
    method: 'GET',
    path: `${subRunPath}/steps/{step}/log`,
    input: Type.Object({ ...stepLogPathFields, ...subRunAddress, ...logRange }),
    output: LogLines,
    errors: ['not_found'],
    role: 'viewer',
  }),
};
