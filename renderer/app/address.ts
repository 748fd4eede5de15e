import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useLocation, useRouter } from 'wouter';
import { withQuery } from './paths.ts';

/*
 * The address of a view is all behind the `#`: `#/runs?status=failed`. wouter's own hash location would put the
 * query before the `#`, where a reload asks the server for it and the desktop's scheme has no place for it.
 */

const readHash = (): string => `/${location.hash.replace(/^#?\/?/, '')}`;
const readPath = (): string => readHash().split('?', 1)[0] ?? '/';
const readQuery = (): string => readHash().slice(readPath().length + 1);

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Goes to an address of the application. @param options.replace instead of leaving a trace in the history */
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
export const useHashAddress = Object.assign(useHashPath, {
  searchHook: useHashQuery,
  hrefs: (href: string): string => `#${href}`,
});

/** Changes some entries of the query; undefined and empty ones go. By default no trace is left in the history. */
type ChangeQuery = (
  changes: Readonly<Record<string, string | undefined>>,
  options?: { readonly replace?: boolean },
) => void;

/** What the page has chosen, as the address says it, and how to choose otherwise. */
export function useAddressQuery(): readonly [URLSearchParams, ChangeQuery] {
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
