import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AppError } from '../../../core/base/errors.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import { useBridge } from '../bridge.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { SessionBridge } from './session-bridge.ts';
import { useSession, type Me } from './session.ts';

const lookAgainMs = 3_000;

/** Whom the engine takes the page for, and what they may do. */
export function useMe() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.me, queryFn: () => bridge.call('auth.me', {}) });
}

/** Whether and how people sign in to this server. */
export function useAuthInfo() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.authInfo, queryFn: () => bridge.call('auth.info', {}) });
}

/** The same for a page on which people wait for the answer to change: a server that is away, or without an admin. */
export function useLoginInfo() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.authInfo,
    queryFn: () => bridge.call('auth.info', {}),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { status, data } }) =>
      status === 'error' || data?.setupNeeded || data?.logins.some(({ problem }) => problem !== undefined)
        ? lookAgainMs
        : false,
  });
}

/** A call that is answered even while nobody is signed in, if only by a refusal. */
const directly = (bridge: Bridge): Bridge => (bridge instanceof SessionBridge ? bridge.direct : bridge);

/** Goes on for whoever is signed in now: where the page was, or afresh for another person. */
function useGoOn() {
  const session = useSession();
  const cache = useQueryClient();
  return (me: Me): void => {
    if (session.isSomebodyElse(me)) cache.clear();
    session.signedIn(me);
    cache.setQueryData(queryKeys.me, me);
    // What waits is on its way; the rest may have changed meanwhile.
    void cache.invalidateQueries({ predicate: ({ state }) => state.fetchStatus === 'idle' });
  };
}

/** Signs in by user name and password. */
export function useSignIn() {
  const bridge = directly(useBridge());
  const goOn = useGoOn();
  return useMutation({
    mutationFn: async (input: OperationInput<'auth.login'>) => {
      if (input.username === '' || input.password === '')
        throw new AppError('bad_request', 'Enter your username and password.');
      await bridge.call('auth.login', input);
      return readCookie(bridge);
    },
    onSuccess: goOn,
  });
}

/** A browser that keeps no cookies would be asked again for ever. */
async function readCookie(bridge: Bridge): Promise<Me> {
  try {
    return await bridge.call('auth.me', {});
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'unauthorized') throw thrown;
    throw new AppError(
      'unauthorized',
      'Signed in, but the browser did not store the session. Allow cookies for this site and use HTTPS.',
    );
  }
}

/** Looks whether somebody has signed in elsewhere, as in another tab, and goes on if so. Answers whether it does. */
export function useSignInElsewhere() {
  const bridge = directly(useBridge());
  const goOn = useGoOn();
  return async (): Promise<boolean> => {
    try {
      // That nobody has is no refusal here, as it would be of the other.
      const { signedIn } = await bridge.call('auth.info', {});
      if (signedIn) goOn(await bridge.call('auth.me', {}));
      return signedIn;
    } catch {
      return false;
    }
  };
}

/**
 * Signs out. A session that has ended already is as good.
 * @param beforeLeaving the last moment at which the page is still there
 */
export function useSignOut(beforeLeaving: () => void) {
  const bridge = useBridge();
  const session = useSession();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await bridge.call('auth.logout', {});
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'unauthorized') throw thrown;
      }
    },
    onSuccess: () => {
      beforeLeaving();
      session.leave();
      cache.clear();
    },
  });
}

/** Changes the own password. */
export function useChangePassword() {
  const bridge = useBridge();
  const session = useSession();
  return useMutation({
    mutationFn: (input: OperationInput<'auth.changePassword'>) => bridge.call('auth.changePassword', input),
    onSuccess: () => {
      const { who } = session.store.getState();
      // What was under way with the session before is sent again with the new one.
      if (who) session.signedIn(who);
    },
  });
}
