import type { EventScope, Webhook, WebhookSecret, StoredEvent } from '../../store/types/webhooks.ts';
import {
  stableId,
  toEnterpriseObject,
  toInstallationObject,
  toOrganizationObject,
  toRepositoryObject,
  localRepository,
} from '../../store/webhook-events/repository.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WebhookKind } from '../../contract/webhook-views.ts';
import { signBody } from '../signature.ts';
import { findEvent } from '../catalog.ts';

export const isSame = (owner: string, name: string | undefined): boolean =>
  owner.toLowerCase() === name?.toLowerCase();

/**
 * Returns the installation through which an app receives an event: by the event's installation id, else by account and
 * repository. An app without listed installations is installed everywhere. Undefined if it does not receive the event.
 */
export function findInstallation(
  { owner, options: { installations } }: Pick<Webhook, 'owner' | 'options'>,
  { repository, organization, installationId }: EventScope,
): number | undefined {
  if (installations === undefined) return installationId ?? stableId(`installation ${owner}`);
  if (installationId !== undefined)
    return installations.some(({ id }) => id === installationId) ? installationId : undefined;
  // Events without an account, such as an expired token, go to every installation.
  if (organization === undefined && repository === undefined) return installations[0]?.id;
  const account = (organization ?? repository?.split('/')[0])?.toLowerCase();
  const found = installations.find(
    (one) =>
      one.account.toLowerCase() === account &&
      (repository === undefined ||
        one.repositories === undefined ||
        one.repositories.some((name) => name.toLowerCase() === repository.toLowerCase())),
  );
  return found?.id;
}

/** Header values of a delivery. */
export interface DeliveryInfo {
  readonly hookId: number;
  readonly event: string;
  /** GUID of the event, the same in all its deliveries. */
  readonly guid: string;
  /** Where the webhook was created: `repository`, `organization`, `business`, `integration`, … */
  readonly targetType: string;
  readonly targetId: number;
  /** Event name for `X-GitHub-Event`; if absent, no `X-GitHub-*` headers are sent. */
  readonly githubEvent?: string | undefined;
  /** If absent, the delivery is not signed. */
  readonly secret?: string | undefined;
}

/** Returns the headers of a delivery, in GitHub's order. */
export function deliveryHeaders(info: DeliveryInfo, body: EncodedBody): Record<string, string> {
  const { githubEvent } = info;
  return {
    Accept: '*/*',
    'Content-Type': body.contentType,
    'Content-Length': String(body.bytes.length),
    'User-Agent': userAgent,
    ...toHeaders('X-Platform', info),
    ...(githubEvent !== undefined && toHeaders('X-GitHub', { ...info, event: githubEvent })),
    ...(info.secret !== undefined && info.secret !== '' && signBody(body.bytes, info.secret)),
  };
}

const toHeaders = (prefix: 'X-Platform' | 'X-GitHub', info: DeliveryInfo): Record<string, string> => ({
  [`${prefix}-Delivery`]: info.guid,
  [`${prefix}-Event`]: info.event,
  [`${prefix}-Hook-ID`]: String(info.hookId),
  [`${prefix}-Hook-Installation-Target-ID`]: String(info.targetId),
  [`${prefix}-Hook-Installation-Target-Type`]: info.targetType,
});

/** The prefix is GitHub's, because receivers may check for it. */
const userAgent = 'Platform-Hookshot/stepwright';

/** Additional payload properties for a specific hook. */
interface PayloadAdditions {
  /** Repository, for an event that was stored without it. */
  readonly repository?: JsonObject | undefined;
  readonly installation?: JsonObject | undefined;
  readonly organization?: JsonObject | undefined;
  readonly enterprise?: JsonObject | undefined;
}

/**
 * Returns the JSON for a hook: the payload with missing common properties added (installation for apps, organization
 * and enterprise for events there).
 */
function addToPayload(json: string, additions: PayloadAdditions): string {
  const entries = Object.entries(additions).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return json;
  const payload = JSON.parse(json) as JsonObject;
  const missing = entries.filter(([name]) => payload[name] === undefined);
  return missing.length === 0 ? json : JSON.stringify({ ...payload, ...Object.fromEntries(missing) });
}

/** Body format of a hook. */
export type BodyFormat = 'json' | 'form';

/** Maximum size of a sent body: 25 MB, interpreted as 25 MiB so that every payload GitHub sends fits. */
export const maxBodyBytes = 25 * 1024 * 1024;

/** The encoded body; signature and size refer to these bytes. */
export interface EncodedBody {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Encodes a JSON payload unchanged, or as a form with the JSON in its only field `payload`. */
export function encodeBody(json: string, format: BodyFormat): EncodedBody {
  return format === 'json'
    ? { bytes: Buffer.from(json), contentType: 'application/json' }
    : { bytes: Buffer.from(encodeForm(json)), contentType: 'application/x-www-form-urlencoded' };
}

/** Whether a body is within the size limit. Larger bodies are not sent. */
export const isWithinSizeLimit = (body: EncodedBody): boolean => body.bytes.length <= maxBodyBytes;

/** Encodes a form. GitHub encodes `*` as `%2A`, which `URLSearchParams` does not escape. */
const encodeForm = (json: string): string =>
  new URLSearchParams({ payload: json }).toString().replaceAll('*', '%2A');

/** Target types in deliveries, by kind of hook. */
export const targetTypes: Readonly<Record<WebhookKind, string>> = {
  repository: 'repository',
  organization: 'organization',
  enterprise: 'business',
  app: 'integration',
  marketplace: 'marketplace_listing',
  sponsored: 'sponsors_listing',
};

/**
 * Builds the body of an event for a hook. The result is always the same. That of a notification channel, which depends
 * on its kind, is built when it is sent.
 */
export function buildBody(webhook: Webhook, event: StoredEvent): EncodedBody {
  return encodeBody(addToPayload(event.payload ?? '{}', additionsFor(webhook, event.scope)), webhook.format);
}

/** Returns GitHub's name of an event, which is an alias where the catalog name differs. */
const getGithubName = (event: string): string => findEvent(event)?.aliases?.[0] ?? event;

/** Builds the headers of an attempt; without a secret there is no signature. */
export const buildHeaders = (
  webhook: Webhook,
  event: StoredEvent,
  body: EncodedBody,
  secret: string | undefined,
): Record<string, string> =>
  deliveryHeaders(
    {
      hookId: webhook.id,
      event: event.event,
      guid: event.guid,
      targetType: targetTypes[webhook.kind],
      targetId: webhook.targetId,
      githubEvent: webhook.options.githubHeaders === true ? getGithubName(event.event) : undefined,
      secret,
    },
    body,
  );

/** Returns the currently valid secrets, newest first; the one without expiry is the newest. */
export const secretsAt = (secrets: readonly WebhookSecret[], at: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > at).map(({ value }) => value);

const home = toRepositoryObject(localRepository);

function additionsFor(webhook: Webhook, scope: EventScope): PayloadAdditions {
  // Run events are stored without their repository.
  const repository = scope.repository === localRepository ? home : undefined;
  return { repository, ...additionsForKind(webhook, scope) };
}

function additionsForKind(webhook: Webhook, scope: EventScope): PayloadAdditions {
  if (webhook.kind === 'app') {
    const id = findInstallation(webhook, scope);
    return { installation: id === undefined ? undefined : toInstallationObject(id) };
  }
  if (webhook.kind === 'organization') return { organization: toOrganizationObject(webhook.owner) };
  if (webhook.kind === 'enterprise') return { enterprise: toEnterpriseObject(webhook.owner) };
  return {};
}
