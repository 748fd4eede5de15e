import Type, { type Static, type TSchema } from 'typebox';
import type { RunEvent } from '../../model/run/run-event.ts';
import { FileName } from '../workflows/dags.ts';
import { defineStream } from '../operation.ts';
import { DagName, RunId, Timestamp } from './run-views.ts';

/** A run event on the wire: the event's own fields (`core/model/run/run-event.ts`) and where it belongs. */
export const EventView = Type.Object({
  /** Ascending; send the last one seen as `after` (or `Last-Event-ID`) to resume without a gap. */
  id: Type.Integer({ description: 'Ascending; go on after it to miss nothing' }),
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
      description:
        'Begin after the event with this id, 0 for the first one there is; from now on when absent',
    }),
  ),
} satisfies Record<string, TSchema>;

export const eventStreams = {
  'events.follow': defineStream({
    summary: 'Run events as they happen, of all runs, or of those of one name or id',
    path: '/events',
    input: Type.Object({ name: Type.Optional(DagName), dagRunId: Type.Optional(RunId), ...resumable }),
    item: EventView,
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
  'events.followDag': defineStream({
    summary: 'Events of the runs of one workflow, under its own name',
    path: '/dags/{fileName}/events',
    input: Type.Object({ fileName: FileName, ...resumable }),
    item: EventView,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
  'events.followRun': defineStream({
    summary: 'Events of one run until it has ended; `latest` stands for the newest',
    path: '/dag-runs/{name}/{dagRunId}/events',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...resumable }),
    item: EventView,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
};
