import Type, { type Static } from 'typebox';
import { AnyKey, closed, flag, text, TextOrList } from './values.ts';
import { durationPattern } from './settings.ts';

/** Shapes of what starts a workflow besides its schedule. */

const patterns = (what: string, ...examples: (string | string[])[]) =>
  TextOrList(
    `${what}: patterns in which * stands for anything but "/" and ** for anything; one after "!" takes names out again.`,
    ...examples,
  );

export const TriggerParamObject = Type.Object(
  {
    path: text('Where in the payload the value is, as a JSON path.', '$.pull_request.head.ref'),
    default: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: 'Value when the payload has none there, or null.',
        examples: ['main'],
      }),
    ),
  },
  closed,
);

export const WebhookObject = Type.Object(
  {
    receiver: Type.Optional(
      text('Name or id of the receiver that it has to come to; any one when absent.', 'github'),
    ),
    event: Type.Optional(
      TextOrList('Events that start the workflow; every one but "ping" when absent.', 'push', [
        'push',
        'pull_request',
      ]),
    ),
    actions: Type.Optional(
      TextOrList('Values of "action" in the payload; any one, or none, when absent.', 'opened', [
        'opened',
        'synchronize',
      ]),
    ),
    branches: Type.Optional(
      patterns('Branches that the event is about; of pull requests the one they go into', 'main', [
        'main',
        'release/**',
      ]),
    ),
    branchesIgnore: Type.Optional(patterns('Branches that start nothing', 'dependabot/**')),
    tags: Type.Optional(patterns('Tags that the event is about', 'v*')),
    tagsIgnore: Type.Optional(patterns('Tags that start nothing', '*-rc*')),
    paths: Type.Optional(
      patterns('Files of which a push has to change at least one', 'src/**', ['src/**', '!**/*.md']),
    ),
    pathsIgnore: Type.Optional(patterns('Files that start nothing when a push changes no others', 'docs/**')),
    if: Type.Optional(
      Type.Union([Type.String(), Type.Boolean()], {
        description:
          'Expression that has to hold, as in GitHub Actions, over event, action, payload, headers and receiver.',
        examples: ["payload.sender.login != 'ghost'"],
      }),
    ),
    params: Type.Optional(
      Type.Record(AnyKey, Type.Union([Type.String(), TriggerParamObject]), {
        description:
          'Parameters of the run from the payload: JSON paths by the name of the parameter, or maps of "path" and "default".',
        examples: [{ REF: '$.ref', WHO: { path: '$.sender.login', default: 'nobody' } }],
      }),
    ),
    queue: Type.Optional(
      text('Queue that the runs wait in, instead of the one of the workflow.', 'deployments'),
    ),
    singleton: Type.Optional(
      flag('Start nothing while a run of the workflow is active or waits; false when absent.'),
    ),
    debounce: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })], {
        description:
          'How long to wait for a later delivery, which takes the place of this one: a number of seconds, or a text with the units s, m, h and d. Of those with another value of "concurrencyKey" each waits by itself.',
        examples: ['30s', 5],
      }),
    ),
    concurrencyKey: Type.Optional(
      text(
        'Expression over the delivery: runs for which it gives the same text go one after the other, others side by side.',
        'payload.ref',
      ),
    ),
  },
  closed,
);
export type AuthoredWebhook = Static<typeof WebhookObject>;

export const On = Type.Object(
  {
    webhook: Type.Optional(
      Type.Union([WebhookObject, Type.Array(WebhookObject)], {
        description:
          'Webhooks that start the workflow: one kind of them, or a list. They come to receivers ("engine webhooks receivers").',
        examples: [{ receiver: 'github', event: 'push', branches: 'main', params: { REF: '$.ref' } }],
      }),
    ),
  },
  {
    ...closed,
    description: 'What starts the workflow besides people, programs and its schedule.',
    examples: [{ webhook: { event: 'push', branches: 'main' } }],
  },
);
