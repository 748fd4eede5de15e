import { useMutation, useQuery, useQueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { AppError } from '../../core/base/errors.ts';
import type { OperationInput, OperationName } from '../../core/contract/operations.ts';
import type { Bridge } from '../../core/contract/transport.ts';
import { includesRole, type Role } from '../../core/contract/operation.ts';
import { routes } from '../../core/contract/routes.ts';
import { roleLabels } from '../format/labels.ts';
import { useBridge } from './bridge.ts';
import { queryKeys, useOperationMutation } from './query-keys.ts';
import { SessionBridge, useSession, type CurrentUser } from './session.ts';

const pollIntervalMs = 3_000;

/** The signed-in user and their permissions. */
export function useMe() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.me, queryFn: () => bridge.call('auth.me', {}) });
}

/** Whether and how users sign in to this server. */
export function useAuthInfo() {
  const bridge = useBridge();
  return useQuery({ queryKey: queryKeys.authInfo, queryFn: () => bridge.call('auth.info', {}) });
}

/** The same, polled on a page that waits for a change: an unreachable server, or one without an admin. */
export function useLoginInfo() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.authInfo,
    queryFn: () => bridge.call('auth.info', {}),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { status, data } }) =>
      status === 'error' || data?.setupNeeded || data?.logins.some(({ problem }) => problem !== undefined)
        ? pollIntervalMs
        : false,
  });
}

/** Returns a bridge whose calls do not wait for a sign-in. */
const directly = (bridge: Bridge): Bridge => (bridge instanceof SessionBridge ? bridge.direct : bridge);

/** Returns a function that continues after a sign-in: on the same page, or from the start for another user. */
function useContinue() {
  const session = useSession();
  const cache = useQueryClient();
  return (me: CurrentUser): void => {
    if (session.isOtherUser(me)) cache.clear();
    session.signedIn(me);
    cache.setQueryData(queryKeys.me, me);
    // Waiting requests are being sent; other data may have changed in the meantime.
    void cache.invalidateQueries({ predicate: ({ state }) => state.fetchStatus === 'idle' });
  };
}

/** Signs in with user name and password. */
export function useSignIn() {
  const bridge = directly(useBridge());
  const goOn = useContinue();
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

/** Verifies that the browser stored the cookie; without cookies it would be asked to sign in forever. */
async function readCookie(bridge: Bridge): Promise<CurrentUser> {
  try {
    return await bridge.call('auth.me', {});
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw new AppError(
      'unauthorized',
      'Signed in, but the browser did not store the session. Allow cookies for this site and use HTTPS.',
    );
  }
}

/**
 * Checks whether the user has signed in elsewhere, for example in another tab, and continues if so. Resolves to
 * whether that is the case.
 */
export function useDetectSignIn() {
  const bridge = directly(useBridge());
  const goOn = useContinue();
  return async (): Promise<boolean> => {
    try {
      // Here, no session is not an error, as it would be for the other request.
      const { signedIn } = await bridge.call('auth.info', {});
      if (signedIn) goOn(await bridge.call('auth.me', {}));
      return signedIn;
    } catch {
      return false;
    }
  };
}

/**
 * Signs out. A session that has already ended counts as signed out.
 * @param beforeLeaving called last before the page is replaced
 */
export function useSignOut(beforeLeaving: () => void) {
  const bridge = useBridge();
  const session = useSession();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await bridge.call('auth.logout', {});
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
      }
    },
    onSuccess: () => {
      beforeLeaving();
      session.leave();
      cache.clear();
    },
  });
}

/** Changes the user's own password. */
export function useChangePassword() {
  const bridge = useBridge();
  const session = useSession();
  return useMutation({
    mutationFn: (input: OperationInput<'auth.changePassword'>) => bridge.call('auth.changePassword', input),
    onSuccess: () => {
      const { who } = session.store.getState();
      // Requests pending in the previous session are repeated in the new one.
      if (who) session.signedIn(who);
    },
  });
}

/** Whether the user may perform an operation. */
export interface Permission {
  readonly allowed: boolean;
  /** The reason, for the unavailable control. */
  readonly reason?: string;
}

const allowed: Permission = { allowed: true };

/**
 * Whether the user's role allows an operation. Until that is known it is allowed; the engine checks in any
 * case.
 */
export function useCan(operation: OperationName): Permission {
  const { held, needed } = useRoles(operation);
  if (held === undefined || includesRole(held, needed)) return allowed;
  return { allowed: false, reason: `Requires the ${inText(needed)} role. Your role is ${inText(held)}.` };
}

/** Whether to show a link to a page: only once it is known that the user's role allows using it. */
export function useCanNavigate(operation: OperationName): boolean {
  const { held, needed } = useRoles(operation);
  return held !== undefined && includesRole(held, needed);
}

/** Returns the user's role, if known, and the required one. */
function useRoles(operation: OperationName): { held: Role | undefined; needed: Role } {
  return { held: useMe().data?.role, needed: routes[operation].role };
}

const inText = (role: Role): string => roleLabels[role].toLowerCase();

const pageSize = 100;

/** The API tokens visible to the user, newest first, paged. */
export function useTokens() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.tokens,
    queryFn: ({ pageParam }) => bridge.call('tokens.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Creates or revokes a token. */
export const useChangeToken = <Name extends 'tokens.create' | 'tokens.delete'>(name: Name) =>
  useOperationMutation(name, { changed: () => [queryKeys.tokens], isSecret: true });

/** The users by name, paged. */
export function useUsers() {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: queryKeys.users,
    queryFn: ({ pageParam }) => bridge.call('users.list', { limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

type Change = 'users.create' | 'users.update' | 'users.delete' | 'users.resetPassword';

/** A change to a user. */
export const useChangeUser = <Name extends Change>(name: Name) =>
  // It may have been the user's own role.
  useOperationMutation(name, { changed: () => [queryKeys.users, queryKeys.me] });

export type AuditFilter = Omit<OperationInput<'audit.list'>, 'limit' | 'cursor'>;

/** The audit log, paged. */
export function useAudit(filter: AuditFilter, enabled: boolean) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    enabled,
    queryFn: ({ pageParam }) => bridge.call('audit.list', { ...filter, limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });
}
