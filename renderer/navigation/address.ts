import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useLocation, useRouter } from 'wouter';

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

/* The address of a view is completely after the `#`: `#/runs?status=failed`. wouter's own hash location would
   put the query before the `#`, where a reload sends it to the server, and which the desktop's scheme does not
   support. */

const readHash = (): string => `/${location.hash.replace(/^#?\/?/, '')}`;
const readPath = (): string => readHash().split('?', 1)[0] ?? '/';
const readQuery = (): string => readHash().slice(readPath().length + 1);

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Navigates to an address of the application. @param options.replace replaces the history entry */
export function navigate(
  to: string,
  { replace = false, state = null }: { readonly replace?: boolean; readonly state?: unknown } = {},
): void {
  const oldURL = location.href;
  const next = new URL(oldURL);
  next.hash = `/${to.replace(/^#?\/?/, '')}`;
  if (replace) history.replaceState(state, '', next);
  else history.pushState(state, '', next);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: next.href }));
}

const useHashPath = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, readPath), navigate];
const useHashQuery = (): string => useSyncExternalStore(subscribe, readQuery);

/** The location hook of the router. */
export const useHashLocation = Object.assign(useHashPath, {
  searchHook: useHashQuery,
  hrefs: (href: string): string => `#${href}`,
});

/**
 * Changes entries of the query; undefined and empty ones are removed. By default the history entry is replaced.
 */
type ChangeQuery = (
  changes: Readonly<Record<string, string | undefined>>,
  options?: { readonly replace?: boolean },
) => void;

/** The query of the current address, and a function to change it. */
export function useQueryParams(): readonly [URLSearchParams, ChangeQuery] {
  const router = useRouter();
  const search = router.searchHook(router);
  const [path, go] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<ChangeQuery>(
    (changes, { replace = true } = {}) =>
      go(withQuery(path, { ...Object.fromEntries(query), ...changes }), { replace }),
    [go, path, query],
  );
  return [query, change];
}
