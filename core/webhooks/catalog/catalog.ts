import events from './events.json' with { type: 'json' };
import type { HookKind, WebhookEventView } from '../../contract/webhooks/events.ts';

/** Every event that there is, in the order of GitHub's documentation; checked against its schema by a test. */
export const webhookEvents = events as readonly WebhookEventView[];

const byName = new Map(
  webhookEvents.flatMap((event) => [event.name, ...(event.aliases ?? [])].map((name) => [name, event])),
);

/** The event of this name, or of an alias; undefined when there is none. */
export const findEvent = (name: string): WebhookEventView | undefined => byName.get(name);

/** What apps may be allowed, by GitHub's labels. */
export const permissionLabels: ReadonlySet<string> = new Set(
  webhookEvents.flatMap(({ permission }) => permission?.labels ?? []),
);

/** Names of the events that hooks of this kind can have. */
export const eventsFor = (kind: HookKind): string[] =>
  webhookEvents.filter((event) => event.availability.includes(kind)).map((event) => event.name);

/**
 * Whether a hook of this kind gets an event with this action (repository and organization webhooks
 * only get some actions of `check_run` and `check_suite`).
 */
export function getsAction(event: WebhookEventView, kind: HookKind, action: string | undefined): boolean {
  if (!event.availability.includes(kind)) return false;
  const only = new Map(Object.entries(event.rules.actionsByKind ?? {})).get(kind);
  return only === undefined || (action !== undefined && only.includes(action));
}
