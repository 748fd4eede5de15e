import { isIP } from 'node:net';
import { findNearest } from '../../base/text/nearest.ts';
import type { HookKind } from '../../contract/webhooks/events.ts';
import type { HookOptions } from '../../contract/webhooks/hook-views.ts';
import { permissionLabels } from '../catalog/catalog.ts';
import { checkSubscription } from '../catalog/check-subscription.ts';
import { checkHost } from '../outbound/address-check.ts';
import type { Hook, HookSettings } from '../outbound/ports.ts';
import { parseRepository } from '../sources/places.ts';
import type { FieldProblem } from './refusals.ts';

/** Kinds of which there is one hook for each owner (as at GitHub, one for an app and one for a marketplace listing). */
const single: ReadonlySet<HookKind> = new Set(['app', 'marketplace']);

/** What is wrong with a hook as it is wanted; empty when it may be so. `others` are those of the same owner. */
export const findProblems = (wanted: HookSettings, others: readonly Hook[]): FieldProblem[] => [
  ...checkOwner(wanted),
  ...checkUrl(wanted.url, wanted.options),
  ...checkOptions(wanted),
  ...checkEvents(wanted),
  ...checkOthers(wanted, others),
];

/** Whether something of a kind can have this name. */
export function isOwnerName(kind: HookKind, name: string): boolean {
  const isNamed = kind === 'repository' ? parseRepository(name) !== undefined : !name.includes('/');
  return isNamed && !/[\s\p{Cc}\p{Cf}]/u.test(name);
}

function checkOwner({ kind, owner }: HookSettings): FieldProblem[] {
  if (isOwnerName(kind, owner)) return [];
  const form =
    kind === 'repository'
      ? 'a repository is named "owner/name", without blanks and invisible characters'
      : 'a name has no slash, no blank and no invisible character';
  return [{ field: 'owner', code: 'invalid', message: `"${owner}" cannot be: ${form}.` }];
}

/** A private address is refused here where it shows, and else when its name has been looked up. */
function checkUrl(url: string, { allowPrivate }: HookOptions): FieldProblem[] {
  const wrong = (message: string): FieldProblem[] => [{ field: 'url', code: 'invalid', message }];
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol))
    return wrong(`"${url}" is no http or https address; write it as https://example.com/hook.`);
  if (/\p{Cc}/u.test(url))
    return wrong('There is an invisible character in the address. Copy it again, or type it.');
  if (parsed.username !== '' || parsed.password !== '')
    return wrong(
      'An address with a name and password in it is shown to everybody who sees the webhook; use a secret.',
    );
  if (allowPrivate === true) return [];
  const refused = checkHost(parsed.hostname);
  if (refused !== undefined) return wrong(refused.message);
  if (isIP(parsed.hostname) === 0 && /(^|\.)localhost$/i.test(parsed.hostname))
    return wrong(
      `${parsed.hostname} is this machine. Allow private addresses for this webhook if that is meant.`,
    );
  return [];
}

function checkOptions({ kind, options }: HookSettings): FieldProblem[] {
  const wrong = (field: string, message: string): FieldProblem => ({ field, code: 'invalid', message });
  if (kind !== 'app')
    return (['permissions', 'installations'] as const)
      .filter((field) => options[field] !== undefined)
      .map((field) => wrong(`options.${field}`, 'Only an app has it.'));
  return Object.keys(options.permissions ?? {})
    .filter((label) => !permissionLabels.has(label))
    .map((label) => wrong(`options.permissions.${label}`, describeUnknownPermission(label)));
}

/** Clients of other platforms write them as `pull_requests`. */
function describeUnknownPermission(label: string): string {
  const nearest = findNearest(label.replaceAll('_', ' '), [...permissionLabels]);
  const advice =
    nearest === undefined
      ? `Those there are: ${[...permissionLabels].join(', ')}.`
      : `Did you mean "${nearest}"?`;
  return `There is no permission "${label}". ${advice}`;
}

function checkEvents({ kind, events, options: { permissions } }: HookSettings): FieldProblem[] {
  const checked = checkSubscription({ kind, events, permissions });
  if (checked.ok) return [];
  return checked.problems.map(({ message }) => ({ field: 'events', code: 'invalid', message }));
}

/** Two hooks may be alike only when their events are not. */
function checkOthers(wanted: HookSettings, others: readonly Hook[]): FieldProblem[] {
  if (single.has(wanted.kind) && others.length > 0)
    return [
      {
        field: 'owner',
        code: 'already_exists',
        message: `${wanted.owner} has a webhook already, and can have one only.`,
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
      message: `The webhook ${twin.id} sends some of these events to the same address already.`,
    },
  ];
}

const overlap = (left: readonly string[], right: readonly string[]): boolean =>
  left.includes('*') || right.includes('*') || left.some((event) => right.includes(event));
