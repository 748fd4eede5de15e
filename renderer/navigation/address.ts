import { useCallback, useMemo, useSyncExternalStore, useEffect, useRef, useState } from 'react';
import { useLocation, useRouter } from 'wouter';
import { preloadApiKey } from '../../core/contract/transport.ts';
import { appRoot } from '../base/app-root.ts';

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
  notifications: '/notifications',
  gateway: '/gateway',
  system: '/system',
  audit: '/audit',
  settings: '/settings',
  installation: '/settings/installation',
  baseConfig: '/settings/base',
  users: '/users',
  tokens: '/tokens',
  secrets: '/secrets',
  gallery: '/gallery',
  help: (name?: string) => (name === undefined ? '/help' : page('help', ...name.split('/'))),
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
  help: '/help/*?',
  apiReference: '/api-reference/:name?',
} as const;

/** Pages of the documentation by beginning of an address. */
const helpPages = [
  ['/dags', 'operating'],
  ['/new', 'new-workflow'],
  ['/runs/', 'run-page'],
  ['/runs', 'logs-and-runs'],
  ['/compare', 'logs-and-runs'],
  ['/queues', 'queues'],
  ['/approvals', 'executors/approval'],
  ['/schedule', 'schedules'],
  ['/webhooks', 'webhooks'],
  ['/notifications', 'notifications'],
  ['/gateway', 'gateway'],
  ['/system', 'operating'],
  ['/audit', 'authentication'],
  ['/users', 'authentication'],
  ['/tokens', 'authentication'],
  ['/secrets', 'secrets'],
  ['/settings/base', 'base-config'],
  ['/settings/installation', 'configuration'],
  ['/settings', 'settings'],
  ['/search', 'operating'],
  ['/api-reference', 'api'],
] as const;

/** Returns the page of the documentation about the page of an address. */
export function findHelp(path: string): string | undefined {
  if (path === '/') return 'getting-started';
  return helpPages.find(([start]) => path.startsWith(start))?.[1];
}

/**
 * Adds the selections of a page to its address: a step, a tab, a filter.
 * @param query undefined and empty entries are omitted
 */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

/* On a server, the address of a page is the URL's path below the app's root, `/runs?status=failed`. The desktop's
   scheme has one page, so there the address is completely after the `#`. Older links have it there too, and are
   replaced. */

const usesHash = (): boolean => preloadApiKey in window;

/** Returns the address of the current page with its query: `/runs?status=failed`. */
export function readAddress(): string {
  const { pathname, search, hash } = location;
  if (usesHash() || hash.startsWith('#/')) return `/${hash.replace(/^#?\/?/, '')}`;
  const root = appRoot().pathname;
  const path = pathname.startsWith(root) ? pathname.slice(root.length) : '';
  return `/${path.replace(/^index\.html$/, '')}${search}`;
}

const readPath = (): string => readAddress().split('?', 1)[0] ?? '/';
const readQuery = (): string => readAddress().slice(readPath().length + 1);

const toUrl = (address: string): string =>
  usesHash() ? `${location.pathname}${location.search}#${address}` : prefix() + address;

const prefix = (): string => (usesHash() ? '#' : appRoot().pathname.slice(0, -1));

const listeners = new Set<() => void>();
const guards = new Set<(target: string) => boolean>();
/** The address that the listeners know. */
let known: string | undefined;

const isHeld = (target: string): boolean => [...guards].some((holds) => holds(target));

function notify(): void {
  known = readAddress();
  for (const listener of listeners) listener();
}

/** Follows a move in the history, or an edit of the URL. */
function onBrowserMove(): void {
  const target = readAddress();
  replaceOldLink();
  if (target === known) return;
  if (known !== undefined && isHeld(target)) history.pushState(null, '', toUrl(known));
  else notify();
}

function replaceOldLink(): void {
  if (!usesHash() && location.hash.startsWith('#/')) history.replaceState(null, '', toUrl(readAddress()));
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('popstate', onBrowserMove);
    window.addEventListener('hashchange', onBrowserMove);
    replaceOldLink();
    known = readAddress();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('popstate', onBrowserMove);
    window.removeEventListener('hashchange', onBrowserMove);
  };
}

/**
 * Asks before each navigation to another address.
 * @param holds whether to stay on the current page
 */
function guardNavigation(holds: (target: string) => boolean): () => void {
  guards.add(holds);
  return () => guards.delete(holds);
}

/** Navigates to an address of the application. @param options.replace replaces the history entry */
export function navigate(
  to: string,
  { replace = false, state = null }: { readonly replace?: boolean; readonly state?: unknown } = {},
): void {
  const address = `/${to.replace(/^#?\/?/, '')}`;
  if (address !== readAddress() && isHeld(address)) return;
  if (replace) history.replaceState(state, '', toUrl(address));
  else history.pushState(state, '', toUrl(address));
  notify();
}

const useAddressPath = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, readPath), navigate];
const useAddressQuery = (): string => useSyncExternalStore(subscribe, readQuery);

/** The location hook of the router. */
export const useAppLocation = Object.assign(useAddressPath, {
  searchHook: useAddressQuery,
  hrefs: (href: string): string => prefix() + href,
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

/** Holds a navigation until the user has decided. */
export interface LeaveGuard {
  /** The requested address; undefined if no navigation is pending. */
  readonly target: string | undefined;
  /** Continues the navigation. */
  readonly leave: () => void;
  readonly stay: () => void;
}

/**
 * Asks before the user leaves this page of the application by a link, the address bar or the history.
 * @param shouldAsk called with the requested address; returns whether to ask
 */
export function useLeaveGuard(shouldAsk: (target: string) => boolean): LeaveGuard {
  const [target, setTarget] = useState<string>();
  const isLeaving = useRef(false);
  useEffect(
    () =>
      guardNavigation((requested) => {
        const holds = !isLeaving.current && shouldAsk(requested);
        if (holds) setTarget(requested);
        return holds;
      }),
    [shouldAsk],
  );
  const leave = useCallback(() => {
    if (target === undefined) return;
    isLeaving.current = true;
    navigate(target);
  }, [target]);
  const stay = useCallback(() => setTarget(undefined), []);
  return { target, leave, stay };
}
