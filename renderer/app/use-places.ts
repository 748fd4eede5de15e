import { useLeadsSomewhere } from '../api/session/permissions.ts';
import { useAuthInfo } from '../api/session/session-queries.ts';
import { allPlaces, type Place } from './places.ts';

/** Returns a predicate for navigation entries, by the user's role and whether the engine has user accounts. */
function useJudgePlace(): (place: Place) => boolean {
  const managesUsers = useLeadsSomewhere('users.list');
  const usesTokens = useLeadsSomewhere('tokens.list');
  const mode = useAuthInfo().data?.mode;
  return ({ needs }) => {
    if (needs === undefined) return true;
    if (needs === 'users') return managesUsers && mode === 'builtin';
    if (needs === 'tokens') return usesTokens && mode !== undefined && mode !== 'none';
    return managesUsers;
  };
}

/** Whether a navigation entry is shown to the user. */
export const useIsShown = (place: Place): boolean => useJudgePlace()(place);

/** Returns the visible navigation entries, in order. */
export const usePlaces = (): readonly Place[] => allPlaces.filter(useJudgePlace());
