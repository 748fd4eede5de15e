import Type, { type Static } from 'typebox';
import { itemStatuses } from '../../model/run/run.ts';
import { defineOperation } from '../operation.ts';
import { attemptPathFields, literals, RunRefView, Timestamp, WorkerPlaceView } from './run-views.ts';

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
  worker: Type.Optional(WorkerPlaceView),
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
