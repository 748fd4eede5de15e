import Type, { type Static } from 'typebox';
import { editableStatuses, itemStatuses } from '../model/run.ts';
import { decisions, maxAnswerTextLength } from '../model/approval.ts';
import { defineOperation } from './operation.ts';
import { Cursor, NextCursor, Limit } from './paging.ts';
import {
  DagName,
  literals,
  RunId,
  attemptPathFields,
  RunRefView,
  Timestamp,
  AttemptWorkerView,
  RunDetailView,
  RunSummaryView,
  StepStatusView,
  ApprovalView,
} from './run-views.ts';
import { LogLines, logRange, stepLogPathFields } from './logs.ts';
import { FileName } from './dags.ts';

/** A status that can be set manually. */
export const EditedStatus = literals(editableStatuses);

const StepName = Type.String({
  minLength: 1,
  description: 'Name of a step (not of a handler)',
});

const change = {
  step: StepName,
  status: EditedStatus,
};

const output = Type.Object({
  name: Type.String(),
  dagRunId: Type.String(),
  step: Type.String(),
  status: EditedStatus,
  previous: Type.Unsafe<string>({ type: 'string', description: 'Previous status' }),
});

export const runStepOperations = {
  'runs.setStepStatus': defineOperation({
    summary:
      'Set the status of a step of a finished run. The status of the run does not change, but a retry uses the new status',
    method: 'PATCH',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/status',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...change }),
    output,
    errors: ['not_found', 'still_running'],
    role: 'operator',
    label: 'set the status of a step',
    audit: 'resource',
  }),
  'runs.setSubRunStepStatus': defineOperation({
    summary: 'Set the status of a step of a finished sub-run',
    method: 'PATCH',
    path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subRunId}/steps/{step}/status',
    input: Type.Object({ name: DagName, dagRunId: RunId, subRunId: RunId, ...change }),
    output,
    errors: ['not_found', 'still_running'],
    role: 'operator',
    label: 'set the status of a step of a sub-run',
    audit: 'resource',
  }),
};

/** One item of a step with `parallel` in one attempt. */
export const ItemView = Type.Object({
  /** 1-based, in the order of the items. */
  item: Type.Integer(),
  /** The item as a string, truncated. */
  value: Type.String(),
  status: literals(itemStatuses),
  startedAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  exitCode: Type.Optional(Type.Integer()),
  signal: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  /** Where it runs or ran, if not on the run's host. */
  worker: Type.Optional(AttemptWorkerView),
  /** Absolute paths on the engine's machine. */
  stdoutFile: Type.String(),
  stderrFile: Type.String(),
  /** The run of the item if the step calls a workflow; items with the same parameters share one. */
  subRun: Type.Optional(RunRefView),
});
export type ItemView = Static<typeof ItemView>;

export const itemOperations = {
  'runs.items': defineOperation({
    summary: 'List the items that an attempt of a step with `parallel` has started, in order',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/items',
    input: Type.Object({
      ...attemptPathFields,
      /** One status, or several separated by commas over HTTP. */
      status: Type.Optional(Type.Array(literals(itemStatuses))),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({
      /** Number of the attempt; a retry only runs items that have not succeeded. */
      attempt: Type.Integer(),
      items: Type.Array(ItemView),
      nextCursor: Type.Optional(Type.String()),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
};

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
    label: 'stop the runs of a workflow',
    audit: 'resource',
  }),
};

/** An artifact: a file that a step of a run has stored. */
export const ArtifactView = Type.Object({
  /** Name as in `inputFiles` of steps. */
  name: Type.String(),
  bytes: Type.Integer(),
  /** When it was stored. */
  at: Timestamp,
  /** The step that stored it, derived from its `outputFiles` and the time; absent if it is ambiguous. */
  step: Type.Optional(Type.String()),
  /** With `step`: whether a handler stored it. */
  section: Type.Optional(literals(['step', 'handler'])),
  /** With `step`: the attempt. */
  attempt: Type.Optional(Type.Integer()),
});
export type ArtifactView = Static<typeof ArtifactView>;

/** Maximum size of a part in bytes. */
export const maxPartLength = 1_048_576;

export const artifactOperations = {
  'runs.artifacts': defineOperation({
    summary: 'List the artifacts of a run (`outputFiles`), sorted by name',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/artifacts',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      artifacts: Type.Array(ArtifactView),
      /**
       * Absolute path of the folder on the engine's machine; absent if artifacts are in a bucket or the run has not
       * started.
       */
      folder: Type.Optional(Type.String()),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'viewer',
  }),
  'runs.artifactBytes': defineOperation({
    summary: 'Read a byte range of an artifact',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/artifact-bytes',
    input: Type.Object({
      name: DagName,
      dagRunId: RunId,
      artifact: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Artifact name, as returned by `runs.artifacts`',
      }),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
      length: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPartLength })),
    }),
    output: Type.Object({
      /** Size of the whole file in bytes. */
      size: Type.Integer(),
      /** When it was stored. */
      at: Timestamp,
      /** Changes if the file is replaced between two reads. */
      mark: Type.String(),
      offset: Type.Integer(),
      /** Base64; empty after the end. */
      data: Type.String(),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'viewer',
  }),
};

const AnswerText = Type.String({ maxLength: maxAnswerTextLength });

export const approvalOperations = {
  'approvals.list': defineOperation({
    summary: 'List approval requests, newest first',
    method: 'GET',
    path: '/approvals',
    input: Type.Object({
      decision: Type.Optional(
        literals(['open', ...decisions], {
          description: 'Filter by decision, or open requests',
        }),
      ),
      dag: Type.Optional(DagName),
      dagRunId: Type.Optional(RunId),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ approvals: Type.Array(ApprovalView), nextCursor: NextCursor }),
    errors: [],
    role: 'viewer',
  }),
  'approvals.answer': defineOperation({
    summary: 'Approve or reject an approval request. A request can be answered only once',
    method: 'POST',
    path: '/approvals/{id}/answer',
    input: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64, description: 'Approval request ID' }),
      decision: literals(decisions, { description: 'Decision' }),
      comment: Type.Optional(
        Type.String({ maxLength: maxAnswerTextLength, description: 'Comment stored with the decision' }),
      ),
      values: Type.Optional(
        Type.Record(Type.String(), AnswerText, {
          description: 'Input values, by input name',
        }),
      ),
    }),
    output: ApprovalView,
    errors: ['not_found', 'conflict'],
    role: 'operator',
    label: 'answer an approval request',
    audit: 'approval',
  }),
};
