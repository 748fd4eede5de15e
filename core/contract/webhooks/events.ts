import Type, { type Static } from 'typebox';
import { literals } from '../runs/run-views.ts';

/** Kinds of webhook owners. */
export const webhookKinds = [
  'repository',
  'organization',
  'enterprise',
  'app',
  'marketplace',
  'sponsored',
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

export const WebhookKindView = literals(webhookKinds, { description: 'Scope of a webhook' });
const Names = Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true });

const commonProperties = ['sender', 'repository', 'installation', 'organization', 'enterprise'] as const;

/** Permission that apps need to subscribe: read access, or write access for some actions. */
const EventPermission = Type.Object(
  {
    labels: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Permission names. Any of them is sufficient.',
    }),
    of: Type.Optional(
      Type.Array(literals(['repository', 'organization', 'app']), {
        minItems: 1,
        description: 'Resources that the permission applies to. Missing if not specified.',
      }),
    ),
    writeActions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Actions that require write access. Other actions require read access.',
      }),
    ),
  },
  { additionalProperties: false },
);

const EventProperty = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    optional: Type.Optional(Type.Literal(true, { description: 'Only for some actions' })),
    list: Type.Optional(Type.Literal(true)),
    fields: Type.Optional(Names),
  },
  { additionalProperties: false },
);

/** Rules of single events in addition to permission and availability. */
const EventRules = Type.Object(
  {
    autoSubscribed: Type.Optional(
      Type.Literal('write', { description: 'Sent to apps with write access without a subscription' }),
    ),
    alwaysSent: Type.Optional(
      Type.Array(WebhookKindView, { description: 'Webhooks that always receive this event' }),
    ),
    selectable: Type.Optional(Type.Literal(false, { description: 'Cannot be subscribed to manually' })),
    removable: Type.Optional(Type.Literal(false, { description: 'Cannot be unsubscribed from' })),
    actionsByKind: Type.Optional(
      Type.Partial(Type.Object({ repository: Names, organization: Names }), {
        description: 'Actions that webhooks of this kind receive',
      }),
    ),
    supersededBy: Type.Optional(Type.String()),
    closingDown: Type.Optional(Type.Literal(true)),
    preview: Type.Optional(Type.Literal(true, { description: 'Subject to change' })),
  },
  { additionalProperties: false },
);

/** One row of the event catalog. */
export const WebhookEventView = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    aliases: Type.Optional(Type.Array(Type.String(), { description: 'Other accepted names' })),
    described: Type.String({ minLength: 1, description: 'Description of the event' }),
    describedAction: Type.Optional(Type.String({ description: 'Action that the description applies to' })),
    actions: Type.Union([Names, Type.Literal('any')], {
      description: 'Values of `action`. None if the payload has no action.',
    }),
    availability: Type.Array(WebhookKindView, {
      minItems: 1,
      description: 'Scopes that can receive this event',
    }),
    permission: Type.Optional(EventPermission),
    permissionNote: Type.Optional(
      literals(['none needed', 'not published'], { description: 'Reason that there is no permission' }),
    ),
    rules: EventRules,
    always: Type.Array(literals(commonProperties), {
      description: 'Common properties in every payload',
    }),
    sometimes: Type.Array(literals(commonProperties), {
      description: 'Common properties that a payload can have',
    }),
    properties: Type.Array(EventProperty, { description: 'Properties specific to this event' }),
    facts: Type.Array(Type.String(), { description: 'Notes for receivers, one sentence each' }),
  },
  { additionalProperties: false },
);
export type WebhookEventView = Static<typeof WebhookEventView>;
