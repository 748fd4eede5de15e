import Type, { type Static, type TSchema } from 'typebox';
import type { RunEvent } from '../../model/run/run-event.ts';
import { FileName } from '../workflows/dags.ts';
import { defineStream } from '../operation.ts';
import { DagName, RunId, Timestamp } from './run-views.ts';

/** A run event: the event's own fields (`core/model/run/run-event.ts`) and its run. */
export const EventView = Type.Object({
  /** Ascending; send the last received id as `after` (or `Last-Event-ID`) to resume without a gap. */
  id: Type.Integer({ description: 'Ascending. Resume after this id to receive all events.' }),
  name: Type.String(),
  dagRunId: Type.String(),
  at: Timestamp,
  event: Type.Unsafe<RunEvent>({
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' } },
    additionalProperties: true,
  }),
});
export type EventView = Static<typeof EventView>;

const resumable = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Start after the event with this id (0 for the first event). Default: new events only.',
    }),
  ),
} satisfies Record<string, TSchema>;

export const eventStreams = {
  'events.follow': defineStream({
    summary: 'Stream run events, for all runs or filtered by name or id',
    path: '/events',
    input: Type.Object({ name: Type.Optional(DagName), dagRunId: Type.Optional(RunId), ...resumable }),
    item: EventView,
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
  'events.followDag': defineStream({
    summary: 'Stream the events of the runs of a workflow',
    path: '/dags/{fileName}/events',
    input: Type.Object({ fileName: FileName, ...resumable }),
    item: EventView,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
  'events.followRun': defineStream({
    summary: 'Stream the events of a run until it ends (`latest` for the newest run)',
    path: '/dag-runs/{name}/{dagRunId}/events',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...resumable }),
    item: EventView,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
};
