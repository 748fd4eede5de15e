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

/** Target types in deliveries, by kind of hook. */
export const targetTypes: Readonly<Record<HookKind, string>> = {
  repository: 'repository',
  organization: 'organization',
  enterprise: 'business',
  app: 'integration',
  marketplace: 'marketplace_listing',
  sponsored: 'sponsors_listing',
};

/** Builds the body of an event for a hook. The result is always the same. */
export function buildBody(hook: Hook, event: StoredEvent): EncodedBody {
  return encodeBody(addToPayload(event.payload ?? '{}', additionsFor(hook, event.scope)), hook.format);
}

/** Returns GitHub's name of an event, which is an alias where the catalog name differs. */
const githubNameOf = (event: string): string => findEvent(event)?.aliases?.[0] ?? event;

/** Builds the headers of an attempt; without a secret there is no signature. */
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

/** Returns the currently valid secrets, newest first; the one without expiry is the newest. */
export const secretsAt = (secrets: readonly HookSecret[], at: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > at).map(({ value }) => value);

const home = describeRepository(ownRepository);

function additionsFor(hook: Hook, scope: EventScope): PayloadAdditions {
  // Run events are stored without their repository.
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
