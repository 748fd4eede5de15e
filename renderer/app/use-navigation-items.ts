import { useCanNavigate } from '../api/session/permissions.ts';
import { useAuthInfo } from '../api/session/session-queries.ts';
import { navigationItems, type NavigationItem } from './navigation-items.ts';

/** Returns a predicate for navigation entries, by the user's role and whether the engine has user accounts. */
function useCanShowItem(): (item: NavigationItem) => boolean {
  const managesUsers = useCanNavigate('users.list');
  const usesTokens = useCanNavigate('tokens.list');
  const mode = useAuthInfo().data?.mode;
  return ({ needs }) => {
    if (needs === undefined) return true;
    if (needs === 'users') return managesUsers && mode === 'builtin';
    if (needs === 'tokens') return usesTokens && mode !== undefined && mode !== 'none';
    return managesUsers;
  };
}

/** Whether a navigation entry is shown to the user. */
export const useIsItemVisible = (item: NavigationItem): boolean => useCanShowItem()(item);

/** Returns the visible navigation entries, in order. */
export const useVisibleNavigationItems = (): readonly NavigationItem[] =>
  navigationItems.filter(useCanShowItem());
