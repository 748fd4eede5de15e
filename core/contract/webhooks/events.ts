import Type, { type Static } from 'typebox';
import { literals } from '../runs/run-views.ts';

/** What a webhook can belong to. */
export const hookKinds = [
  'repository',
  'organization',
  'enterprise',
  'app',
  'marketplace',
  'sponsored',
] as const;
export type HookKind = (typeof hookKinds)[number];

export const HookKindView = literals(hookKinds, { description: 'What a webhook can belong to' });
const Names = Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true });

const commonProperties = ['sender', 'repository', 'installation', 'organization', 'enterprise'] as const;

/** What apps must hold to subscribe: read access, or write access for some actions. */
const EventPermission = Type.Object(
  {
    labels: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Names of permissions; one of them is enough',
    }),
    of: Type.Optional(
      Type.Array(literals(['repository', 'organization', 'app']), {
        minItems: 1,
        description: 'What the permission is about; absent where it is not said',
      }),
    ),
    writeActions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Actions that take write access; the others take read access',
      }),
    ),
  },
  { additionalProperties: false },
);

const EventProperty = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    optional: Type.Optional(Type.Literal(true, { description: 'Only with some actions' })),
    list: Type.Optional(Type.Literal(true)),
    fields: Type.Optional(Names),
  },
  { additionalProperties: false },
);

/** Rules of single events beyond permission and availability. */
const EventRules = Type.Object(
  {
    autoSubscribed: Type.Optional(
      Type.Literal('write', { description: 'Apps with write access get it without subscribing' }),
    ),
    alwaysSent: Type.Optional(
      Type.Array(HookKindView, { description: 'Webhooks that get it whatever they chose' }),
    ),
    selectable: Type.Optional(Type.Literal(false, { description: 'Cannot be subscribed to by hand' })),
    removable: Type.Optional(Type.Literal(false, { description: 'Cannot be unsubscribed from' })),
    actionsByKind: Type.Optional(
      Type.Partial(Type.Object({ repository: Names, organization: Names }), {
        description: 'Webhooks of these kinds get these actions only',
      }),
    ),
    supersededBy: Type.Optional(Type.String()),
    closingDown: Type.Optional(Type.Literal(true)),
    preview: Type.Optional(Type.Literal(true, { description: 'Subject to change' })),
  },
  { additionalProperties: false },
);

/** One row of the catalog of events. */
export const WebhookEventView = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    aliases: Type.Optional(
      Type.Array(Type.String(), { description: 'Other names that are understood in its place' }),
    ),
    described: Type.String({ minLength: 1, description: 'What has happened, in words' }),
    describedAction: Type.Optional(Type.String({ description: 'The action that the words are about' })),
    actions: Type.Union([Names, Type.Literal('any')], {
      description: 'Values of `action`; none when its payload has no action',
    }),
    availability: Type.Array(HookKindView, {
      minItems: 1,
      description: 'Kinds of webhooks that can have it',
    }),
    permission: Type.Optional(EventPermission),
    permissionNote: Type.Optional(
      literals(['none needed', 'not published'], { description: 'Why there is no permission' }),
    ),
    rules: EventRules,
    always: Type.Array(literals(commonProperties), {
      description: 'Common properties that every payload has',
    }),
    sometimes: Type.Array(literals(commonProperties), {
      description: 'Common properties that a payload may have',
    }),
    properties: Type.Array(EventProperty, { description: 'Properties of its own' }),
    facts: Type.Array(Type.String(), { description: 'What else a receiver should know, a sentence each' }),
  },
  { additionalProperties: false },
);
export type WebhookEventView = Static<typeof WebhookEventView>;
