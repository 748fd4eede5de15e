import { isIP } from 'node:net';
import { findNearest } from '../base/text.ts';
import type { WebhookKind, WebhookEventView, HookOptions } from '../contract/webhook-views.ts';
import type { Webhook, WebhookSettings } from '../store/types/webhooks.ts';
import { parseRepository } from '../store/webhook-events/repository.ts';
import { AppError } from '../base/errors.ts';
import { eventNamesFor, findEvent, webhookEvents, permissionLabels } from './catalog.ts';
import { checkHost } from './address-check.ts';

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
    const message = event === undefined ? formatUnknownEvent(name) : findProblem(event, kind, permissions);
    return message === undefined ? [] : [{ event: name, message }];
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, events: [...new Set(found.flatMap(({ event }) => (event ? [event.name] : [])))] };
}

function formatUnknownEvent(name: string): string {
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

/** Kinds with only one hook per owner (as on GitHub, one for an app and one for a marketplace listing). */
const single: ReadonlySet<WebhookKind> = new Set(['app', 'marketplace']);

/** Returns the errors of hook settings; empty if valid. `others` are the other hooks of the same owner. */
export const findProblems = (settings: WebhookSettings, others: readonly Webhook[]): FieldProblem[] => [
  ...checkOwner(settings),
  ...checkUrl(settings.url, settings.options),
  ...checkOptions(settings),
  ...checkEvents(settings),
  ...checkOthers(settings, others),
];

/** Whether the name is valid for this kind of owner. */
export function isOwnerName(kind: WebhookKind, name: string): boolean {
  const isNamed = kind === 'repository' ? parseRepository(name) !== undefined : !name.includes('/');
  return isNamed && !/[\s\p{Cc}\p{Cf}]/u.test(name);
}

function checkOwner({ kind, owner }: WebhookSettings): FieldProblem[] {
  if (isOwnerName(kind, owner)) return [];
  const form =
    kind === 'repository'
      ? 'a repository name must have the form "owner/name", without spaces or invisible characters'
      : 'a name must not contain slashes, spaces or invisible characters';
  return [{ field: 'owner', code: 'invalid', message: `Invalid owner "${owner}": ${form}.` }];
}

/** Rejects literal private addresses; host names are checked at delivery. */
function checkUrl(url: string, { allowPrivate }: HookOptions): FieldProblem[] {
  const wrong = (message: string): FieldProblem[] => [{ field: 'url', code: 'invalid', message }];
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol))
    return wrong(`Invalid URL "${url}". Use an http or https URL, such as https://example.com/hook.`);
  if (/\p{Cc}/u.test(url)) return wrong('The URL contains an invisible character. Copy or type it again.');
  if (parsed.username !== '' || parsed.password !== '')
    return wrong(
      'The URL must not contain credentials, which are visible to all users. Use a secret instead.',
    );
  if (allowPrivate === true) return [];
  const refused = checkHost(parsed.hostname);
  if (refused !== undefined) return wrong(refused.message);
  if (isIP(parsed.hostname) === 0 && /(^|\.)localhost$/i.test(parsed.hostname))
    return wrong(
      `${parsed.hostname} is a loopback address. Allow private addresses for this webhook if intended.`,
    );
  return [];
}

function checkOptions({ kind, options }: WebhookSettings): FieldProblem[] {
  const wrong = (field: string, message: string): FieldProblem => ({ field, code: 'invalid', message });
  if (kind !== 'app')
    return (['permissions', 'installations'] as const)
      .filter((field) => options[field] !== undefined)
      .map((field) => wrong(`options.${field}`, 'This field is only available for apps.'));
  return Object.keys(options.permissions ?? {})
    .filter((label) => !permissionLabels.has(label))
    .map((label) => wrong(`options.permissions.${label}`, formatUnknownPermission(label)));
}

/** Clients of other platforms write permissions as `pull_requests`. */
function formatUnknownPermission(label: string): string {
  const nearest = findNearest(label.replaceAll('_', ' '), [...permissionLabels]);
  const advice =
    nearest === undefined
      ? `Valid permissions: ${[...permissionLabels].join(', ')}.`
      : `Did you mean "${nearest}"?`;
  return `Unknown permission "${label}". ${advice}`;
}

function checkEvents({ kind, events, options: { permissions } }: WebhookSettings): FieldProblem[] {
  const checked = checkSubscription({ kind, events, permissions });
  if (checked.ok) return [];
  return checked.problems.map(({ message }) => ({ field: 'events', code: 'invalid', message }));
}

/** Checks the owner's other hooks. Two hooks may have the same URL only if their events or formats differ. */
function checkOthers(settings: WebhookSettings, others: readonly Webhook[]): FieldProblem[] {
  if (single.has(settings.kind) && others.length > 0)
    return [
      {
        field: 'owner',
        code: 'already_exists',
        message: `${settings.owner} already has a webhook. Only one is allowed.`,
      },
    ];
  const twin = others.find(
    (other) =>
      other.url === settings.url &&
      other.format === settings.format &&
      overlap(other.events, settings.events),
  );
  if (twin === undefined) return [];
  return [
    {
      field: 'url',
      code: 'already_exists',
      message: `Webhook ${twin.id} already sends some of these events to the same URL.`,
    },
  ];
}

const overlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.includes('*') || b.includes('*') || a.some((event) => b.includes(event));

/** An invalid field. */
interface FieldProblem {
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'already_exists' | 'custom';
  readonly message: string;
}

/** Returns a `validation_failed` error of a hook or event that lists every problem. */
export function fieldsError(resource: 'Hook' | 'Event', problems: readonly FieldProblem[]): AppError {
  return new AppError(
    'validation_failed',
    problems.map(({ field, message }) => `${field}: ${message}`).join(' '),
    { details: { errors: problems.map((problem) => ({ resource, ...problem })) } },
  );
}

/** Returns the error for an unknown hook id. */
export const webhookNotFoundError = (id: number): AppError =>
  new AppError('not_found', `Webhook ${id} not found. Run "engine webhooks list" to see all webhooks.`);

/** Returns the error for an operation that needs an enabled hook. */
export const webhookInactiveError = (id: number): AppError =>
  fieldsError('Hook', [
    {
      field: 'active',
      code: 'invalid',
      message: `The webhook is inactive. Activate it first, for example with "engine webhooks update ${id} --on".`,
    },
  ]);
