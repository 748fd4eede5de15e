import type { Clock } from '../../../core/base/clock.ts';

const storageKey = 'stepwright.departed';
/** Whoever comes back without a session later than this has been busy at the provider, not sent to and fro. */
const lately = 60_000;

/**
 * Whether this tab has gone to the identity provider by itself a moment ago. It must not go again: a browser that keeps
 * no cookies would be sent to and fro for ever.
 */
export function hasDepartedLately(clock: Clock): boolean {
  const departed = Number(sessionStorage.getItem(storageKey));
  return Math.abs(clock.now() - departed) < lately;
}

export const noteDeparture = (clock: Clock): void => sessionStorage.setItem(storageKey, String(clock.now()));

/** Somebody is signed in: when their session ends, the tab may go again. */
export const forgetDeparture = (): void => sessionStorage.removeItem(storageKey);
