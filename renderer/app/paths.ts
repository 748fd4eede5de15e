const page = (...segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`;

/** One run, as in an address. */
interface RunRouteParams {
  readonly name: string;
  readonly dagRunId: string;
}

/** Addresses of the pages, for links. Selections of a page follow after `?`, see {@link withQuery}. */
export const paths = {
  dashboard: '/',
  workflows: '/dags',
  newWorkflow: (way?: string) => (way === undefined ? '/new' : `/new/${way}`),
  runs: '/runs',
  queues: '/queues',
  approvals: '/approvals',
  schedule: '/schedule',
  search: '/search',
  webhooks: '/webhooks',
  gateway: '/gateway',
  system: '/system',
  audit: '/audit',
  settings: '/settings',
  users: '/users',
  tokens: '/tokens',
  gallery: '/gallery',
  apiReference: (name?: string) => (name === undefined ? '/api-reference' : page('api-reference', name)),
  workflow: (fileName: string) => page('dags', fileName),
  editor: (fileName: string) => page('dags', fileName, 'edit'),
  run: (name: string, dagRunId: string) => page('runs', name, dagRunId),
  compare: (first: RunRouteParams, second: RunRouteParams) =>
    page('compare', first.name, first.dagRunId, second.name, second.dagRunId),
} as const;

/** Route patterns of the router. */
export const routePatterns = {
  workflow: '/dags/:fileName',
  editor: '/dags/:fileName/edit',
  newWorkflow: '/new/:way?',
  run: '/runs/:name/:dagRunId',
  compare: '/compare/:nameA/:idA/:nameB/:idB',
  signedIn: '/signed-in',
  apiReference: '/api-reference/:name?',
} as const;

/**
 * Adds the selections of a page to its address: a step, a tab, a filter.
 * @param query undefined and empty entries are omitted
 */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
