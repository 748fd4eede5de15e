import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import type { Webhook, NewEvent } from '../outbound/ports.ts';
import { senderByName } from '../sources/account.ts';
import { describeEnterprise, describeOrganization, describeRepository } from '../sources/repository.ts';
import { describeWebhook } from './describe-webhook.ts';

/** Messages of `ping`; one is chosen at random. */
const zens = [
  'Tell everybody once.',
  'What is delivered is delivered.',
  'A receiver that answers first can think longer.',
  'Sign what you send, and check what you get.',
  'Silence is an answer too, but a slow one.',
] as const;

/** Creates the event that a hook receives when it is created, and on request. */
export function createPing(webhook: Webhook, by: string | undefined, random: () => number): NewEvent {
  const zen = zens[Math.floor(random() * zens.length)] ?? zens[0];
  return ofWebhook(webhook, 'ping', { zen, hook_id: webhook.id, hook: describeWebhook(webhook) }, by);
}

/** Creates the event that a hook receives when it is deleted. */
export const createDeletedEvent = (webhook: Webhook, by: string | undefined): NewEvent =>
  ofWebhook(webhook, 'meta', { action: 'deleted', hook_id: webhook.id, hook: describeWebhook(webhook) }, by);

function ofWebhook(webhook: Webhook, event: string, payload: JsonObject, by: string | undefined): NewEvent {
  return {
    guid: randomUUID(),
    event,
    payload: { ...payload, ...describeTarget(webhook), sender: senderByName(by) },
    scope: {
      hookId: webhook.id,
      ...(webhook.kind === 'repository' && { repository: webhook.owner, repositoryId: webhook.targetId }),
    },
  };
}

function describeTarget({ kind, owner }: Webhook): JsonObject {
  if (kind === 'repository') return { repository: describeRepository(owner) };
  if (kind === 'organization') return { organization: describeOrganization(owner) };
  if (kind === 'enterprise') return { enterprise: describeEnterprise(owner) };
  return {};
}
