import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import type { Hook, NewEvent } from '../outbound/ports.ts';
import { senderNamed } from '../sources/people.ts';
import { describeEnterprise, describeOrganization, describeRepository } from '../sources/places.ts';
import { describeHook } from './describe-hook.ts';

/** Messages of `ping`; one is chosen at random. */
const zens = [
  'Tell everybody once.',
  'What is delivered is delivered.',
  'A receiver that answers first can think longer.',
  'Sign what you send, and check what you get.',
  'Silence is an answer too, but a slow one.',
] as const;

/** Creates the event that a hook receives when it is created, and on request. */
export function createPing(hook: Hook, by: string | undefined, random: () => number): NewEvent {
  const zen = zens[Math.floor(random() * zens.length)] ?? zens[0];
  return ofHook(hook, 'ping', { zen, hook_id: hook.id, hook: describeHook(hook) }, by);
}

/** Creates the event that a hook receives when it is deleted. */
export const createFarewell = (hook: Hook, by: string | undefined): NewEvent =>
  ofHook(hook, 'meta', { action: 'deleted', hook_id: hook.id, hook: describeHook(hook) }, by);

function ofHook(hook: Hook, event: string, payload: JsonObject, by: string | undefined): NewEvent {
  return {
    guid: randomUUID(),
    event,
    payload: { ...payload, ...describeTarget(hook), sender: senderNamed(by) },
    scope: {
      hookId: hook.id,
      ...(hook.kind === 'repository' && { repository: hook.owner, repositoryId: hook.targetId }),
    },
  };
}

function describeTarget({ kind, owner }: Hook): JsonObject {
  if (kind === 'repository') return { repository: describeRepository(owner) };
  if (kind === 'organization') return { organization: describeOrganization(owner) };
  if (kind === 'enterprise') return { enterprise: describeEnterprise(owner) };
  return {};
}
