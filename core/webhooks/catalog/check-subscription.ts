import { findNearest } from '../../base/text/nearest.ts';
import type { WebhookKind, WebhookEventView } from '../../contract/webhooks/events.ts';
import { eventNamesFor, findEvent, webhookEvents } from './catalog.ts';

/** Access level of an app permission. */
export type AccessLevel = 'read' | 'write';

/** Requested subscription of a webhook. */
export interface EventSelection {
  readonly kind: WebhookKind;
  /** Event names, including aliases; `*` alone for all events of the kind. */
  readonly events: readonly string[];
  /** For apps: access level by permission label. */
  readonly permissions?: Readonly<Record<string, AccessLevel>> | undefined;
}

/** Valid events by their canonical names without duplicates, or an error for each invalid one. */
export type CheckedEvents =
  | { readonly ok: true; readonly events: readonly string[] }
  | { readonly ok: false; readonly problems: readonly SubscriptionProblem[] };

export interface SubscriptionProblem {
  readonly event: string;
  readonly message: string;
}

const everything = '*';

/**
 * Validates a subscription: the events exist, are available to the kind, can be selected, and an app has at least read
 * access to the permission of each.
 */
export function checkSubscription({ kind, events, permissions }: EventSelection): CheckedEvents {
  if (events.length === 1 && events[0] === everything) return { ok: true, events: [everything] };
  const found = events.map((name) => ({ name, event: findEvent(name) }));
  const problems = found.flatMap(({ name, event }) => {
    const message = event === undefined ? describeUnknown(name) : findProblem(event, kind, permissions);
    return message === undefined ? [] : [{ event: name, message }];
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, events: [...new Set(found.flatMap(({ event }) => (event ? [event.name] : [])))] };
}

function describeUnknown(name: string): string {
  if (name === everything) return '"*" means all events and cannot be combined with other names.';
  const near = findNearest(
    name,
    webhookEvents.map((event) => event.name),
  );
  const advice =
    near === undefined ? 'Run "engine webhooks catalog" to see all events.' : `Did you mean "${near}"?`;
  return `Unknown event "${name}". ${advice}`;
}

function findProblem(
  event: WebhookEventView,
  kind: WebhookKind,
  permissions: EventSelection['permissions'],
): string | undefined {
  if (!event.availability.includes(kind)) {
    return `"${event.name}" is not available to ${kindNames[kind]}, only to ${listKinds(event.availability)}.`;
  }
  if (event.rules.selectable === false) {
    return `"${event.name}" is always sent to ${listKinds(event.rules.alwaysSent ?? [])} and cannot be selected.`;
  }
  if (kind !== 'app' || event.permission === undefined) return undefined;
  const { labels } = event.permission;
  if (labels.some((label) => permissions?.[label] !== undefined)) return undefined;
  return `"${event.name}" requires read access to ${labels.map((label) => `"${label}"`).join(' or ')}, which the app does not have.`;
}

/** Whether an app with this access receives an event with this action (some actions need write access). */
export function canReceive(
  event: WebhookEventView,
  action: string | undefined,
  permissions: Readonly<Record<string, AccessLevel>>,
): boolean {
  if (event.permission === undefined) return true;
  const { labels, writeActions = [] } = event.permission;
  const needed = action !== undefined && writeActions.includes(action) ? 'write' : 'read';
  return labels.some((label) => permissions[label] === 'write' || permissions[label] === needed);
}

/** Returns the events that a hook receives: selected events, mandatory events, and events of its permissions. */
export function subscribedEvents({ kind, events, permissions = {} }: EventSelection): ReadonlySet<string> {
  const chosen = events.includes(everything) ? eventNamesFor(kind) : events;
  const unasked = webhookEvents.filter(
    ({ availability, rules, permission }) =>
      availability.includes(kind) &&
      (rules.alwaysSent?.includes(kind) ||
        (kind === 'app' &&
          rules.autoSubscribed === 'write' &&
          permission?.labels.some((label) => permissions[label] === 'write'))),
  );
  return new Set([...chosen, ...unasked.map((event) => event.name)]);
}

const kindNames: Readonly<Record<WebhookKind, string>> = {
  repository: 'repository webhooks',
  organization: 'organization webhooks',
  enterprise: 'enterprise webhooks',
  app: 'apps',
  marketplace: 'marketplace listings',
  sponsored: 'sponsored accounts',
};

const listKinds = (kinds: readonly WebhookKind[]): string =>
  new Intl.ListFormat('en').format(kinds.map((kind) => kindNames[kind]));
