import Type, { type Static } from 'typebox';
import { defineStream } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

const Measured = Type.Optional(Type.Number());

/** A resource reading; values that are unavailable are absent. */
export const ReadingView = Type.Object({
  timestamp: Timestamp,
  /** Percent, as in `services.resourceHistory`. */
  cpu: Measured,
  memory: Measured,
  disk: Measured,
  load: Measured,
});
export type ReadingView = Static<typeof ReadingView>;

const topic = literals(
  ['dags', 'queues', 'approvals', 'hosts', 'schedulers', 'webhooks', 'workers', 'load'],
  {
    description:
      '`dags`: workflow files were created, changed or deleted. `queues`: `queues.list` has changed. `approvals`: an approval request was created, answered or closed. `hosts`: `services.hosts` has changed. `schedulers`: `services.scheduler` has changed. `webhooks`: webhooks, receivers or deliveries have changed. `workers`: steps were offered to workers, claimed, finished or cancelled. `load`: new load data is available',
  },
);

/** Notifies that a topic has changed; for `load`, it contains the reading itself, except in the first item. */
export const SystemChangeView = Type.Object({ topic, reading: Type.Optional(ReadingView) });
export type SystemChangeView = Static<typeof SystemChangeView>;

export const systemChangeStreams = {
  'system.changes': defineStream({
    summary:
      'Stream notifications when workflow files, queues, approvals, hosts, schedulers, webhooks or workers change, or new load data is available. The first item is sent immediately',
    path: '/system-changes',
    input: Type.Object({ topic }),
    item: SystemChangeView,
    errors: ['monitoring_off', 'too_many_requests'],
    role: 'viewer',
  }),
};
