import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../base/json.ts';
import { findNearest } from '../base/text.ts';
import type { WebhookEventView } from '../contract/webhook-views.ts';
import type { EventScope, NewEvent, StoredEvent } from '../store/types/webhooks.ts';
import {
  senderByName,
  toOrganizationObject,
  toRepositoryObject,
  localEnterprise,
  localOrganization,
  localRepository,
  repositoryId,
} from '../store/webhook-events/repository.ts';
import { findEvent, webhookEvents } from './catalog.ts';
import { readPayloadValue } from './event-filter.ts';
import { fieldsError } from './check-webhook.ts';

/** An event to emit. */
export interface EmitEventOptions {
  readonly event: string;
  readonly payload: JsonObject;
  readonly refsAtOnce?: number | undefined;
  /** Name of the emitting user; the ghost is the sender if absent. */
  readonly by?: string | undefined;
}

/** The event to store, or why it is not emitted. */
export type ComposedEvent =
  | { readonly emitted: true; readonly event: NewEvent }
  | { readonly emitted: false; readonly reason: string };

/**
 * Composes an event from a payload: adds missing common properties and applies the emission rules. Throws
 * `validation_failed` for an unknown event or action.
 */
export function composeEvent(options: EmitEventOptions): ComposedEvent {
  const known = findKnown(options.event);
  const completed = complete(known, options);
  checkAction(known, completed);
  const emission = emit({ event: known.name, payload: completed, refsAtOnce: options.refsAtOnce });
  if (!emission.emitted) return emission;
  const { payload } = emission;
  return {
    emitted: true,
    event: { guid: randomUUID(), event: known.name, payload, scope: getScope(payload) },
  };
}

function findKnown(name: string): WebhookEventView {
  const event = findEvent(name);
  if (event !== undefined) return event;
  const near = findNearest(
    name,
    webhookEvents.map((one) => one.name),
  );
  const advice =
    near === undefined ? 'Run "engine webhooks catalog" to see all events.' : `Did you mean "${near}"?`;
  throw fieldsError('Event', [
    { field: 'event', code: 'invalid', message: `Unknown event "${name}". ${advice}` },
  ]);
}

/**
 * Adds sender and scope if the payload lacks them: the account `ghost` for an unknown sender, and the repository or
 * organization of this home, without which no such webhook would receive the event.
 */
function complete(event: WebhookEventView, { payload, by }: EmitEventOptions): JsonObject {
  const isMissing = (name: string): boolean => payload[name] === undefined;
  const defaultScope =
    isMissing('repository') && isMissing('organization') && isMissing('enterprise')
      ? findScope(event)
      : undefined;
  const { always, sometimes } = event;
  const repository =
    isMissing('repository') && (defaultScope === 'repository' || always.includes('repository'))
      ? toRepositoryObject(localRepository)
      : undefined;
  const isOrganizationNeeded = defaultScope === 'organization' || always.includes('organization');
  return {
    ...payload,
    ...(repository !== undefined && { repository }),
    ...(isMissing('organization') &&
      isOrganizationNeeded && { organization: toOrganizationObject(getOwner(payload)) }),
    ...(isMissing('sender') && [...always, ...sometimes].includes('sender') && { sender: senderByName(by) }),
  };
}

/** Returns the scope of an event without one; undefined for events of only apps, purchases and sponsorships. */
const findScope = ({ availability }: WebhookEventView): 'repository' | 'organization' | undefined =>
  (['repository', 'organization'] as const).find((kind) => availability.includes(kind));

const getOwner = (payload: JsonObject): string =>
  text(payload, 'repository', 'owner', 'login') ??
  text(payload, 'repository', 'full_name')?.split('/')[0] ??
  localOrganization;

function checkAction({ name, actions }: WebhookEventView, { action }: JsonObject): void {
  if (actions === 'any' || actions.length === 0) return;
  if (typeof action === 'string' && actions.includes(action)) return;
  const message =
    action === undefined
      ? `Payloads of "${name}" require an action: ${actions.join(', ')}.`
      : `Unknown action ${JSON.stringify(action)} of "${name}". Valid actions: ${actions.join(', ')}.`;
  throw fieldsError('Event', [
    { field: 'payload.action', code: action === undefined ? 'missing' : 'invalid', message },
  ]);
}

/** Returns the scope of an event from its payload. */
export function getScope(payload: JsonObject): EventScope {
  const repository = text(payload, 'repository', 'full_name');
  const id = readPayloadValue(payload, 'repository', 'id');
  const installation = readPayloadValue(payload, 'installation', 'id');
  return {
    repository,
    repositoryId:
      typeof id === 'number' ? id : repository === undefined ? undefined : repositoryId(repository),
    organization:
      text(payload, 'organization', 'login') ??
      text(payload, 'repository', 'owner', 'login') ??
      repository?.split('/')[0] ??
      text(payload, 'sponsorship', 'sponsorable', 'login'),
    enterprise: text(payload, 'enterprise', 'slug') ?? localEnterprise,
    installationId: typeof installation === 'number' ? installation : undefined,
  };
}

/** Describes why an event reaches no webhook. */
export function explainNoRecipients({
  event,
  action,
  scope,
}: Pick<StoredEvent, 'event' | 'action' | 'scope'>): string {
  const what = action === undefined ? `"${event}"` : `"${event}" with the action "${action}"`;
  const where = scope.repository ?? scope.organization;
  return `No active webhook is subscribed to ${what}${where === undefined ? '' : ` of ${where}`}.`;
}

function text(payload: JsonObject, ...path: readonly string[]): string | undefined {
  const value = readPayloadValue(payload, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** Limits above which no event is emitted. */
const limits = { tags: 3, branches: 5000, statusBranches: 10 } as const;

/** Something that has happened, before the emission rules are applied. */
export interface EmitRequest {
  readonly event: string;
  readonly payload: JsonObject;
  /** Number of refs of the same kind created, deleted or pushed together. Default: 1. */
  readonly refsAtOnce?: number | undefined;
}

/** The payload to send, or why no event is emitted. */
export type EmitResult =
  | { readonly emitted: true; readonly payload: JsonObject }
  | { readonly emitted: false; readonly reason: string };

/** Applies GitHub's emission rules. */
export function emit({ event, payload, refsAtOnce = 1 }: EmitRequest): EmitResult {
  const reason = findSkipReason(event, payload, refsAtOnce);
  if (reason !== undefined) return { emitted: false, reason };
  return { emitted: true, payload: event === 'status' ? shortenBranches(payload) : payload };
}

function findSkipReason(event: string, payload: JsonObject, refsAtOnce: number): string | undefined {
  if (isTagEvent(event, payload) && refsAtOnce > limits.tags) {
    return `\`${event}\` is not sent if more than ${limits.tags} tags are pushed at once (here: ${refsAtOnce}).`;
  }
  if (event === 'push' && !isTagEvent(event, payload) && refsAtOnce > limits.branches) {
    return `\`push\` is not sent if more than ${limits.branches} branches are pushed at once (here: ${refsAtOnce}).`;
  }
  if (
    event === 'deployment_status' &&
    readPayloadValue(payload, 'deployment_status', 'state') === 'inactive'
  ) {
    return '`deployment_status` is not sent for the state `inactive`.';
  }
  return undefined;
}

function isTagEvent(event: string, payload: JsonObject): boolean {
  if (event === 'create' || event === 'delete') return payload['ref_type'] === 'tag';
  const { ref } = payload;
  return event === 'push' && typeof ref === 'string' && ref.startsWith('refs/tags/');
}

function shortenBranches(payload: JsonObject): JsonObject {
  const branches = payload['branches'];
  return Array.isArray(branches) && branches.length > limits.statusBranches
    ? { ...payload, branches: branches.slice(0, limits.statusBranches) }
    : payload;
}
