import type { JsonObject } from '../../base/json.ts';
import { apiUrl, nodeId } from './addresses.ts';
import { stableId } from './stable-id.ts';

/** URL paths of an account, relative to its own. */
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

/** Returns a user or organization as in payloads. */
export function describeAccount(login: string, id: number, type: 'User' | 'Organization'): JsonObject {
  const path = `users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: apiUrl(`${path}/avatar`),
    gravatar_id: '',
    url: apiUrl(path),
    html_url: apiUrl(encodeURIComponent(login)),
    ...Object.fromEntries(
      Object.entries(addressesBelow).map(([name, below]) => [name, apiUrl(`${path}/${below}`)]),
    ),
    type,
    site_admin: false,
  };
}

/** The sender of events without a user. Its id is below all user ids. */
export const unknownAccount: JsonObject = describeAccount('ghost', 1, 'User');

/** Triggers of runs without a user. */
const transports: ReadonlySet<string> = new Set([
  '',
  'http',
  'window',
  'cli',
  'schedule',
  'webhook',
  'ghost',
]);

/** Returns the sender of an event, by the name in the history. */
export const senderByName = (name: string | undefined): JsonObject =>
  name === undefined || transports.has(name)
    ? unknownAccount
    : describeAccount(name, stableId(`user ${name}`) + 1, 'User');
