import type { Clock } from '../../../core/base/clock.ts';

const storageKey = 'stepwright.departed';
/**
 * Time within which returning without a session means a redirect loop, and not a user who was busy at the
 * provider.
 */
const redirectLoopMs = 60_000;

/**
 * Whether this tab was recently redirected to the identity provider automatically. It must not be redirected
 * again, because a browser without cookies would loop forever.
 */
export function wasRecentlyRedirected(clock: Clock): boolean {
  const departed = Number(sessionStorage.getItem(storageKey));
  return Math.abs(clock.now() - departed) < redirectLoopMs;
}

export const recordAutoRedirect = (clock: Clock): void =>
  sessionStorage.setItem(storageKey, String(clock.now()));

/** Called when a user is signed in: after their session ends, the tab may redirect again. */
export const clearAutoRedirect = (): void => sessionStorage.removeItem(storageKey);
