import { isIP } from 'node:net';
import { findNearest } from '../../base/text/nearest.ts';
import type { WebhookKind } from '../../contract/webhooks/events.ts';
import type { HookOptions } from '../../contract/webhooks/webhook-views.ts';
import { permissionLabels } from '../catalog/catalog.ts';
import { checkSubscription } from '../catalog/check-subscription.ts';
import { checkHost } from '../outbound/address-check.ts';
import type { Webhook, WebhookSettings } from '../outbound/ports.ts';
import { parseRepository } from '../sources/repository.ts';
import type { FieldProblem } from './errors.ts';

/** Kinds with only one hook per owner (as on GitHub, one for an app and one for a marketplace listing). */
const single: ReadonlySet<WebhookKind> = new Set(['app', 'marketplace']);

/** Returns the errors of hook settings; empty if valid. `others` are the other hooks of the same owner. */
export const findProblems = (wanted: WebhookSettings, others: readonly Webhook[]): FieldProblem[] => [
  ...checkOwner(wanted),
  ...checkUrl(wanted.url, wanted.options),
  ...checkOptions(wanted),
  ...checkEvents(wanted),
  ...checkOthers(wanted, others),
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
    return wrong(`${parsed.hostname} is this machine. Allow private addresses for this webhook if intended.`);
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
    .map((label) => wrong(`options.permissions.${label}`, describeUnknownPermission(label)));
}

/** Clients of other platforms write permissions as `pull_requests`. */
function describeUnknownPermission(label: string): string {
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
function checkOthers(wanted: WebhookSettings, others: readonly Webhook[]): FieldProblem[] {
  if (single.has(wanted.kind) && others.length > 0)
    return [
      {
        field: 'owner',
        code: 'already_exists',
        message: `${wanted.owner} already has a webhook. Only one is allowed.`,
      },
    ];
  const twin = others.find(
    (other) =>
      other.url === wanted.url && other.format === wanted.format && overlap(other.events, wanted.events),
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

const overlap = (left: readonly string[], right: readonly string[]): boolean =>
  left.includes('*') || right.includes('*') || left.some((event) => right.includes(event));
