import type { JsonObject } from '../../base/json.ts';

/** The repository of this home's events. Its workflows are the files of branch `main`. */
export const localRepository = 'local/workflows';
/** The organization that owns the repository. */
export const localOrganization = 'local';
/** The enterprise of this home. */
export const localEnterprise = 'local';
export const localBranch = 'main';

/** A full repository name, `octo/hello`. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** Parses `owner/name`; undefined if invalid. */
export function parseRepository(fullName: string): RepositoryName | undefined {
  const [owner, name, more] = fullName.split('/');
  return owner && name && more === undefined ? { owner, name } : undefined;
}

export const repositoryId = (fullName: string): number => stableId(`repository ${fullName}`);
export const accountId = (login: string): number => stableId(`account ${login}`) + 1;

/** Returns an API URL within a repository. */
export const addressIn = (fullName: string, below: string): string =>
  apiUrl(`repos/${fullName.split('/').map(encodeURIComponent).join('/')}/${below}`);

/** URL paths of a repository, relative to its own. */
const addressesBelow = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  contributors_url: 'contributors',
  deployments_url: 'deployments',
  downloads_url: 'downloads',
  events_url: 'events',
  forks_url: 'forks',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  hooks_url: 'hooks',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  languages_url: 'languages',
  merges_url: 'merges',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  stargazers_url: 'stargazers',
  statuses_url: 'statuses/{sha}',
  subscribers_url: 'subscribers',
  subscription_url: 'subscription',
  tags_url: 'tags',
  teams_url: 'teams',
  trees_url: 'git/trees{/sha}',
} as const;

/** Returns the short form of a repository, as in a workflow run. */
export function nameRepository(fullName: string): JsonObject {
  const { owner, name } = parseRepository(fullName) ?? { owner: fullName, name: fullName };
  const id = repositoryId(fullName);
  return {
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: fullName,
    private: true,
    owner: toAccountObject(owner, accountId(owner), 'Organization'),
    html_url: apiUrl(fullName),
    description: null,
    fork: false,
    url: apiUrl(`repos/${fullName}`),
    ...Object.fromEntries(
      Object.entries(addressesBelow).map(([address, below]) => [address, addressIn(fullName, below)]),
    ),
  };
}

/** Returns a repository as in payloads. */
export const toRepositoryObject = (fullName: string): JsonObject => ({
  ...nameRepository(fullName),
  git_url: apiUrl(`${fullName}.git`),
  ssh_url: apiUrl(`${fullName}.git`),
  clone_url: apiUrl(`${fullName}.git`),
  svn_url: apiUrl(fullName),
  mirror_url: null,
  homepage: null,
  language: null,
  license: null,
  default_branch: localBranch,
  visibility: 'private',
  archived: false,
  disabled: false,
  allow_forking: false,
  is_template: false,
  web_commit_signoff_required: false,
  topics: [],
  has_downloads: false,
  has_issues: false,
  has_pages: false,
  has_projects: false,
  has_wiki: false,
  has_discussions: false,
  forks: 0,
  forks_count: 0,
  open_issues: 0,
  open_issues_count: 0,
  size: 0,
  stargazers_count: 0,
  watchers: 0,
  watchers_count: 0,
  created_at: null,
  updated_at: null,
  pushed_at: null,
});

/** Returns an organization as in payloads. */
export function toOrganizationObject(login: string): JsonObject {
  const path = `orgs/${encodeURIComponent(login)}`;
  return {
    login,
    id: accountId(login),
    node_id: nodeId('Organization', accountId(login)),
    url: apiUrl(path),
    repos_url: apiUrl(`${path}/repos`),
    events_url: apiUrl(`${path}/events`),
    hooks_url: apiUrl(`${path}/hooks`),
    issues_url: apiUrl(`${path}/issues`),
    members_url: apiUrl(`${path}/members{/member}`),
    public_members_url: apiUrl(`${path}/public_members{/member}`),
    avatar_url: apiUrl(`${path}/avatar`),
    description: null,
  };
}

/** Returns an enterprise as in payloads. */
export function toEnterpriseObject(slug: string): JsonObject {
  const id = stableId(`enterprise ${slug}`);
  const path = `enterprises/${encodeURIComponent(slug)}`;
  return {
    id,
    node_id: nodeId('Enterprise', id),
    name: slug,
    slug,
    html_url: apiUrl(path),
    avatar_url: apiUrl(`${path}/avatar`),
    created_at: null,
    updated_at: null,
  };
}

/** Returns an app installation as in payloads. */
export const toInstallationObject = (id: number): JsonObject => ({
  id,
  node_id: nodeId('Installation', id),
});

/**
 * Origin of URLs in payloads. A local engine has no public address, and payloads must not change with the address of
 * the server; so it is a reserved host (RFC 2606), with the paths that receivers parse. Run pages use links that open
 * in the desktop app.
 */
const origin = 'https://stepwright.invalid';

/** Returns the API URL of a path. */
export const apiUrl = (path: string): string => `${origin}/${path}`;

/** Returns the URL of a run or step page, which opens in the desktop app. */
export const pageUrl = (...pathParts: readonly string[]): string =>
  `stepwright://run/${pathParts.map(encodeURIComponent).join('/')}`;

/** Returns a GraphQL node id: base64, stable for the same object. */
export const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}${id}`).toString('base64');

/**
 * Returns a stable numeric id of a name: 31 bits of FNV-1a, never 0. Receivers compare ids, and store them in 32-bit
 * columns.
 */
export function stableId(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.toLowerCase()) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  return hash & 0x7fffffff || 1;
}

/** URL paths of an account, relative to its own. */
const accountAddresses = {
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
export function toAccountObject(login: string, id: number, type: 'User' | 'Organization'): JsonObject {
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
      Object.entries(accountAddresses).map(([name, below]) => [name, apiUrl(`${path}/${below}`)]),
    ),
    type,
    site_admin: false,
  };
}

/** The sender of events without a user. Its id is below all user ids. */
export const unknownAccount: JsonObject = toAccountObject('ghost', 1, 'User');

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
    : toAccountObject(name, stableId(`user ${name}`) + 1, 'User');
