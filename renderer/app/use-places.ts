import { useLeadsSomewhere } from '../api/session/permissions.ts';
import { useAuthInfo } from '../api/session/session-queries.ts';
import { allPlaces, type Place } from './places.ts';

/** Judges places by what the role of the user allows and by whether the engine knows users at all. */
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

/** Whether the place is shown to the user. */
export const useIsShown = (place: Place): boolean => useJudgePlace()(place);

/** The places that are shown to the user, in the order of the navigation. */
export const usePlaces = (): readonly Place[] => allPlaces.filter(useJudgePlace());
