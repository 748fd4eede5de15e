import type { HookKind } from '../../contract/webhooks/events.ts';
import { findEvent } from '../catalog/catalog.ts';
import { deliveryHeaders } from '../message/delivery-headers.ts';
import { encodeBody, type EncodedBody } from '../message/encode-body.ts';
import { addToPayload, type PayloadAdditions } from '../message/payload-for-hook.ts';
import {
  describeEnterprise,
  describeInstallation,
  describeOrganization,
  describeRepository,
  ownRepository,
} from '../sources/places.ts';
import { findInstallation } from './installations.ts';
import type { EventScope, Hook, HookSecret, StoredEvent } from './ports.ts';

/** What deliveries call the things that hooks belong to. */
export const targetTypes: Readonly<Record<HookKind, string>> = {
  repository: 'repository',
  organization: 'organization',
  enterprise: 'business',
  app: 'integration',
  marketplace: 'marketplace_listing',
  sponsored: 'sponsors_listing',
};

/** The body that a hook gets of an event, the same however often it is made. */
export function buildBody(hook: Hook, event: StoredEvent): EncodedBody {
  return encodeBody(addToPayload(event.payload ?? '{}', additionsFor(hook, event.scope)), hook.format);
}

/** What GitHub calls an event, which is the alias of those that the catalog names otherwise. */
const githubNameOf = (event: string): string => findEvent(event)?.aliases?.[0] ?? event;

/** The headers for one attempt; without a secret there is no signature. */
export const buildHeaders = (
  hook: Hook,
  event: StoredEvent,
  body: EncodedBody,
  secret: string | undefined,
): Record<string, string> =>
  deliveryHeaders(
    {
      hookId: hook.id,
      event: event.event,
      guid: event.guid,
      targetType: targetTypes[hook.kind],
      targetId: hook.targetId,
      githubEvent: hook.options.githubHeaders === true ? githubNameOf(event.event) : undefined,
      secret,
    },
    body,
  );

/** The secrets that count now, the newest first; one without an end is the newest. */
export const secretsAt = (secrets: readonly HookSecret[], at: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > at).map(({ value }) => value);

const home = describeRepository(ownRepository);

function additionsFor(hook: Hook, scope: EventScope): PayloadAdditions {
  // What happens to runs is kept without it.
  const repository = scope.repository === ownRepository ? home : undefined;
  return { repository, ...additionsForKind(hook, scope) };
}

function additionsForKind(hook: Hook, scope: EventScope): PayloadAdditions {
  if (hook.kind === 'app') {
    const id = findInstallation(hook, scope);
    return { installation: id === undefined ? undefined : describeInstallation(id) };
  }
  if (hook.kind === 'organization') return { organization: describeOrganization(hook.owner) };
  if (hook.kind === 'enterprise') return { enterprise: describeEnterprise(hook.owner) };
  return {};
}
