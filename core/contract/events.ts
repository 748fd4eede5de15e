import Type, { type Static } from 'typebox';
import type { RunEvent } from '../model/run-event.ts';
import { defineStream } from './operation.ts';
import { DagName, RunId, Timestamp } from './run-views.ts';

/** A run event on the wire: the event's own fields (`core/model/run-event.ts`) and where it belongs. */
export const EventView = Type.Object({
  /** Ascending; send the last one seen as `after` (or `Last-Event-ID`) to resume without a gap. */
  id: Type.Integer(),
  name: Type.String(),
  dagRunId: Type.String(),
  at: Timestamp,
  event: Type.Unsafe<RunEvent>({
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' } },
  }),
});
export type EventView = Static<typeof EventView>;

export const eventStreams = {
  'events.follow': defineStream({
    summary: 'Run events as they happen, of one run, of one DAG or of all',
    path: '/events',
    input: Type.Object({
      name: Type.Optional(DagName),
      dagRunId: Type.Optional(RunId),
      /** Begin after this event; from now on when absent. */
      after: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    item: EventView,
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
};
