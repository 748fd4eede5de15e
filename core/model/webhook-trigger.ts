import Type, { type Static } from 'typebox';

/**
 * Names that match: those of `only`, or all except those of `ignore`; patterns as in core/base/name-pattern.ts.
 */
const Names = Type.Union([
  Type.Object({ only: Type.Array(Type.String()) }),
  Type.Object({ ignore: Type.Array(Type.String()) }),
]);

/** Where a payload contains the value of a parameter. */
const TriggerParam = Type.Object({
  name: Type.String(),
  /** Keys of objects and indexes of lists, in order; empty for the whole payload. */
  path: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  /** Used when the value is missing or null; without a default the parameter is not set. */
  default: Type.Optional(Type.String()),
});

/** A trigger that starts a workflow from webhooks (`on.webhook`). Absent or empty filters match everything. */
export const WebhookTrigger = Type.Object({
  /** Name or ID of the receiver. */
  receiver: Type.Optional(Type.String()),
  events: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  branches: Type.Optional(Names),
  tags: Type.Optional(Names),
  paths: Type.Optional(Names),
  /** An expression over the delivery. */
  condition: Type.Optional(Type.String()),
  params: Type.Array(TriggerParam),
  /** Overrides the workflow's queue. */
  queue: Type.Optional(Type.String()),
  /** Starts nothing while a run of the workflow is active or queued. */
  singleton: Type.Boolean(),
  /** Seconds to wait for a later delivery, which replaces this one. */
  debounceSec: Type.Optional(Type.Number()),
  /** An expression; runs with the same value run one after the other. */
  concurrencyKey: Type.Optional(Type.String()),
});

export type WebhookTrigger = Static<typeof WebhookTrigger>;
