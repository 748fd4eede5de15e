import Type, { type Static } from 'typebox';

/** Names that are let through: those of `only`, or all but those of `ignore`; patterns as in core/base/text/name-pattern.ts. */
const Names = Type.Union([
  Type.Object({ only: Type.Array(Type.String()) }),
  Type.Object({ ignore: Type.Array(Type.String()) }),
]);

/** Where in a payload the value of a parameter is. */
const TriggerParam = Type.Object({
  name: Type.String(),
  /** Keys of maps and places of lists, in order; empty for the whole payload. */
  path: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  /** When there is no such value, or null; without one the parameter is not given. */
  default: Type.Optional(Type.String()),
});

/** Which webhooks start a workflow, and how (`on.webhook`). What is absent or empty lets everything through. */
export const WebhookTrigger = Type.Object({
  /** Name or id of the receiver. */
  receiver: Type.Optional(Type.String()),
  events: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  branches: Type.Optional(Names),
  tags: Type.Optional(Names),
  paths: Type.Optional(Names),
  /** An expression over the delivery. */
  condition: Type.Optional(Type.String()),
  params: Type.Array(TriggerParam),
  /** Instead of that of the workflow. */
  queue: Type.Optional(Type.String()),
  /** Starts nothing while a run of the workflow is active or waits. */
  singleton: Type.Boolean(),
  /** Seconds to wait for a later delivery, which takes the place of this one. */
  debounceSec: Type.Optional(Type.Number()),
  /** An expression; runs with the same value of it go one after the other. */
  concurrencyKey: Type.Optional(Type.String()),
});
export type WebhookTrigger = Static<typeof WebhookTrigger>;
