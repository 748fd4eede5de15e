import type { WebhookKind } from '../../contract/webhooks/events.ts';
import { findEvent } from '../catalog/catalog.ts';
import { deliveryHeaders } from '../message/delivery-headers.ts';
import { encodeBody, type EncodedBody } from '../message/encode-body.ts';
import { addToPayload, type PayloadAdditions } from '../message/payload-for-webhook.ts';
import {
  describeEnterprise,
  describeInstallation,
  describeOrganization,
  describeRepository,
  localRepository,
} from '../sources/repository.ts';
import { findInstallation } from './installations.ts';
import type { EventScope, Webhook, WebhookSecret, StoredEvent } from './ports.ts';

/** Target types in deliveries, by kind of hook. */
export const targetTypes: Readonly<Record<WebhookKind, string>> = {
  repository: 'repository',
  organization: 'organization',
  enterprise: 'business',
  app: 'integration',
  marketplace: 'marketplace_listing',
  sponsored: 'sponsors_listing',
};

/** Builds the body of an event for a hook. The result is always the same. */
export function buildBody(webhook: Webhook, event: StoredEvent): EncodedBody {
  return encodeBody(addToPayload(event.payload ?? '{}', additionsFor(webhook, event.scope)), webhook.format);
}

/** Returns GitHub's name of an event, which is an alias where the catalog name differs. */
const githubNameOf = (event: string): string => findEvent(event)?.aliases?.[0] ?? event;

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
      githubEvent: webhook.options.githubHeaders === true ? githubNameOf(event.event) : undefined,
      secret,
    },
    body,
  );

/** Returns the currently valid secrets, newest first; the one without expiry is the newest. */
export const secretsAt = (secrets: readonly WebhookSecret[], at: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > at).map(({ value }) => value);

const home = describeRepository(localRepository);

function additionsFor(webhook: Webhook, scope: EventScope): PayloadAdditions {
  // Run events are stored without their repository.
  const repository = scope.repository === localRepository ? home : undefined;
  return { repository, ...additionsForKind(webhook, scope) };
}

function additionsForKind(webhook: Webhook, scope: EventScope): PayloadAdditions {
  if (webhook.kind === 'app') {
    const id = findInstallation(webhook, scope);
    return { installation: id === undefined ? undefined : describeInstallation(id) };
  }
  if (webhook.kind === 'organization') return { organization: describeOrganization(webhook.owner) };
  if (webhook.kind === 'enterprise') return { enterprise: describeEnterprise(webhook.owner) };
  return {};
}
