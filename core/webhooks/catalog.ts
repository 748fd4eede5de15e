// A file of its own: it loads the large table of events, which most commands do not need.
import events from './catalog/events.json' with { type: 'json' };
import type { WebhookKind, WebhookEventView } from '../contract/webhook-views.ts';

/** All webhook events, in the order of GitHub's documentation. A test validates them against their schema. */
export const webhookEvents = events as readonly WebhookEventView[];

const byName = new Map(
  webhookEvents.flatMap((event) => [event.name, ...(event.aliases ?? [])].map((name) => [name, event])),
);

/** Returns the event with this name or alias; undefined if unknown. */
export const findEvent = (name: string): WebhookEventView | undefined => byName.get(name);

/** App permissions, by GitHub's labels. */
export const permissionLabels: ReadonlySet<string> = new Set(
  webhookEvents.flatMap(({ permission }) => permission?.labels ?? []),
);

/** Returns the names of events available to this kind of hook. */
export const eventNamesFor = (kind: WebhookKind): string[] =>
  webhookEvents.filter((event) => event.availability.includes(kind)).map((event) => event.name);

/**
 * Whether a hook of this kind receives an event with this action (repository and organization webhooks receive only
 * some actions of `check_run` and `check_suite`).
 */
export function receivesAction(
  event: WebhookEventView,
  kind: WebhookKind,
  action: string | undefined,
): boolean {
  if (!event.availability.includes(kind)) return false;
  const only = new Map(Object.entries(event.rules.actionsByKind ?? {})).get(kind);
  return only === undefined || (action !== undefined && only.includes(action));
}
