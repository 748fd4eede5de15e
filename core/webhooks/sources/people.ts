import type { JsonObject } from '../../base/json.ts';
import { apiAddress, nodeId } from './addresses.ts';
import { stableId } from './stable-id.ts';

/** Addresses of an account, below its own. */
const addressesBelow = {
  followers_url: 'followers',
  following_url: 'following{/other_user}',
  gists_url: 'gists{/gist_id}',
  starred_url: 'starred{/owner}{/repo}',
  subscriptions_url: 'subscriptions',
  organizations_url: 'orgs',
  repos_url: 'repos',
  events_url: 'events{/privacy}',
  received_events_url: 'received_events',
} as const;

/** A user or an organization as the owner of a repository, as payloads show them. */
export function describeAccount(login: string, id: number, type: 'User' | 'Organization'): JsonObject {
  const place = `users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: apiAddress(`${place}/avatar`),
    gravatar_id: '',
    url: apiAddress(place),
    html_url: apiAddress(encodeURIComponent(login)),
    ...Object.fromEntries(
      Object.entries(addressesBelow).map(([name, below]) => [name, apiAddress(`${place}/${below}`)]),
    ),
    type,
    site_admin: false,
  };
}

/**
 * Who is named where nobody caused an event: its id belongs to no user, because
 * those of users are above it.
 */
export const ghost: JsonObject = describeAccount('ghost', 1, 'User');

/** What starts runs where no user did. */
const transports: ReadonlySet<string> = new Set([
  '',
  'http',
  'window',
  'cli',
  'schedule',
  'webhook',
  'ghost',
]);

/** Who caused an event, by the name under which the history knows them. */
export const senderNamed = (name: string | undefined): JsonObject =>
  name === undefined || transports.has(name)
    ? ghost
    : describeAccount(name, stableId(`user ${name}`) + 1, 'User');
