import Type from 'typebox';
import { runIdPattern } from '../../base/ids.ts';
import { triggers } from '../../model/run/run-event.ts';
import { InPlaceOf } from '../workflows/dags.ts';
import { defineOperation } from '../operation.ts';
import { Cursor, Limit, NextCursor } from '../paging.ts';
import {
  BaseText,
  dagNamed,
  DagName,
  DefaultWorkingDir,
  literals,
  RunDetailView,
  RunId,
  RunRefView,
  RunStatusView,
  RunSummaryView,
} from './run-views.ts';
import { startRefusals } from './start-refusals.ts';

const dateWords = 'ISO 8601 (UTC when it names no zone; a date is its beginning) or seconds since 1970';

/** What narrows a list of runs. Nothing does by itself: an old run is found like a new one. */
const listFilters = {
  status: Type.Optional(
    Type.Array(RunStatusView, { description: 'One status, or several separated by commas over HTTP' }),
  ),
  fromDate: Type.Optional(
    Type.String({ maxLength: 40, description: `Only runs created then or later: ${dateWords}` }),
  ),
  toDate: Type.Optional(
    Type.String({ maxLength: 40, description: `Only runs created before: ${dateWords}` }),
  ),
  dagRunId: Type.Optional(RunId),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      maxItems: 50,
      description: 'Only runs whose workflow had all of these tags when they were created',
    }),
  ),
  trigger: Type.Optional(
    Type.Array(literals(triggers), { description: 'Only runs that were started in one of these ways' }),
  ),
  startedBy: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Only runs with this in the name of who has started them; upper and lower case of a to z do not count',
    }),
  ),
  queue: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only runs that count in this queue' }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Only runs with this in their name, id, parameters or reason; upper and lower case of a to z do not count',
    }),
  ),
  minDuration: Type.Optional(
    Type.Number({ minimum: 0, description: 'Only runs that have taken so many seconds, or more, so far' }),
  ),
  maxDuration: Type.Optional(
    Type.Number({ minimum: 0, description: 'Only runs that have taken no more seconds than these, so far' }),
  ),
  subRuns: Type.Optional(Type.Boolean({ description: 'Include runs started by a step of another run' })),
  limit: Limit,
  cursor: Cursor,
};

const RunPage = Type.Object({
  dagRuns: Type.Array(RunSummaryView, {
    description: 'May be fewer than `limit`, even none, on a page that is not the last',
  }),
  nextCursor: NextCursor,
});

export const runOperations = {
  'runs.list': defineOperation({
    summary: 'Lists runs, newest first',
    method: 'GET',
    path: '/dag-runs',
    input: Type.Object({
      name: Type.Optional(dagNamed('Only runs of this name')),
      nameContains: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'Only runs with this in their name; upper and lower case do not count',
        }),
      ),
      ...listFilters,
    }),
    output: RunPage,
    errors: [],
    role: 'viewer',
  }),
  'runs.listOf': defineOperation({
    summary: 'Lists runs of one name, newest first',
    method: 'GET',
    path: '/dag-runs/{name}',
    input: Type.Object({ name: DagName, ...listFilters }),
    output: RunPage,
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
  'runs.stop': defineOperation({
    summary:
      'Asks an active run to stop; its abort and exit handlers run. One that waits in a queue is dequeued',
    method: 'POST',
    path: '/dag-runs/{name}/{dagRunId}/stop',
    input: Type.Object({
      name: DagName,
      dagRunId: RunId,
      force: Type.Optional(
        Type.Boolean({
          description:
            'Kill its processes at once, handlers included; also of a run that is stopping already',
        }),
      ),
    }),
    output: RunRefView,
    errors: ['not_found', 'not_running'],
    role: 'operator',
  }),
  'runs.start': defineOperation({
    summary: 'Creates and starts a run of the text of a workflow, of all of it or of some steps',
    method: 'POST',
    path: '/dag-runs',
    input: Type.Object({
      spec: Type.String(),
      base: Type.Optional(BaseText),
      name: Type.Optional(DagName),
      params: Type.Optional(Type.String()),
      dagRunId: Type.Optional(RunId),
      /** Refuse while any run of the same name is active or waits. */
      singleton: Type.Optional(Type.Boolean()),
      defaultWorkingDir: Type.Optional(DefaultWorkingDir),
      fileName: InPlaceOf,
      steps: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          maxItems: 10_000,
          description: 'Run only these steps, without handlers and mails',
        }),
      ),
      upTo: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'Run only this step and all that it depends on, without handlers and mails',
        }),
      ),
      outputsFrom: Type.Optional(
        Type.String({
          pattern: runIdPattern,
          description:
            'With `steps`: id of an earlier run of the same name, or `latest`, whose outputs of steps before these become parameters',
        }),
      ),
    }),
    output: RunRefView,
    errors: startRefusals,
    role: 'operator',
  }),
  'runs.delete': defineOperation({
    summary: 'Removes a run that has ended from the history, with its sub-runs and all their logs',
    method: 'DELETE',
    path: '/dag-runs/{name}/{dagRunId}',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      removed: Type.Integer({ description: 'Runs, sub-runs included' }),
      errors: Type.Array(Type.String(), { description: 'Log folders that could not be removed, and why' }),
    }),
    errors: ['not_found', 'still_running'],
    role: 'manager',
  }),
};
