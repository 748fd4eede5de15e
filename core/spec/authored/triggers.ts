import Type, { type Static } from 'typebox';
import { AnyKey, closed, flag, text, TextOrList } from './values.ts';
import { durationPattern } from './settings.ts';

/** Schemas of triggers other than schedules. */

const patterns = (what: string, ...examples: (string | string[])[]) =>
  TextOrList(`${what}. Supports *, ** and !.`, ...examples);

export const TriggerParamObject = Type.Object(
  {
    path: text('JSONPath of the value in the payload.', '$.pull_request.head.ref'),
    default: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: 'Default value if the payload has none.',
        examples: ['main'],
      }),
    ),
  },
  closed,
);

export const WebhookObject = Type.Object(
  {
    receiver: Type.Optional(text('Receiver name or ID. Default: any receiver.', 'github')),
    event: Type.Optional(
      TextOrList('Events that start the workflow. Default: all except "ping".', 'push', [
        'push',
        'pull_request',
      ]),
    ),
    actions: Type.Optional(
      TextOrList('Values of "action" in the payload. Default: any.', 'opened', ['opened', 'synchronize']),
    ),
    branches: Type.Optional(
      patterns('Branches to match; pull requests: base branch', 'main', ['main', 'release/**']),
    ),
    branchesIgnore: Type.Optional(patterns('Branches to ignore', 'dependabot/**')),
    tags: Type.Optional(patterns('Tags to match', 'v*')),
    tagsIgnore: Type.Optional(patterns('Tags to ignore', '*-rc*')),
    paths: Type.Optional(patterns('Changed files to match', 'src/**', ['src/**', '!**/*.md'])),
    pathsIgnore: Type.Optional(patterns('Changed files to ignore', 'docs/**')),
    if: Type.Optional(
      Type.Union([Type.String(), Type.Boolean()], {
        description: 'Expression that must be true, in GitHub Actions syntax.',
        examples: ["payload.sender.login != 'ghost'"],
      }),
    ),
    params: Type.Optional(
      Type.Record(AnyKey, Type.Union([Type.String(), TriggerParamObject]), {
        description: 'Run parameters taken from the payload by JSONPath.',
        examples: [{ REF: '$.ref', WHO: { path: '$.sender.login', default: 'nobody' } }],
      }),
    ),
    queue: Type.Optional(text('Queue for these runs. Default: queue of the workflow.', 'deployments')),
    singleton: Type.Optional(flag('Skip if a run is active or queued. Default: false.')),
    debounce: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })], {
        description: 'Delay before starting. A later delivery replaces this one.',
        examples: ['30s', 5],
      }),
    ),
    concurrencyKey: Type.Optional(
      text('Expression. Runs with the same value are executed one at a time.', 'payload.ref'),
    ),
  },
  closed,
);
export type AuthoredWebhook = Static<typeof WebhookObject>;

export const On = Type.Object(
  {
    webhook: Type.Optional(
      Type.Union([WebhookObject, Type.Array(WebhookObject)], {
        description: 'Incoming webhooks that start the workflow.',
        examples: [{ receiver: 'github', event: 'push', branches: 'main', params: { REF: '$.ref' } }],
      }),
    ),
  },
  {
    ...closed,
    description: 'Events that start the workflow.',
    examples: [{ webhook: { event: 'push', branches: 'main' } }],
  },
);
