import { useCallback, useEffect, useRef, useState } from 'react';
import { navigate } from './address.ts';

/** Holds a navigation until the user has decided. */
export interface LeaveGuard {
  /** The requested address; undefined if no navigation is pending. */
  readonly target: string | undefined;
  /** Continues the navigation. */
  readonly leave: () => void;
  readonly stay: () => void;
}

const pathOf = (url: string): string => new URL(url).hash.replace(/^#/, '') || '/';

/**
 * Asks before the user leaves this page of the application by a link, the address bar or the history.
 * @param isHeld called with the requested address; returns whether to ask
 */
export function useLeaveGuard(isHeld: (target: string) => boolean): LeaveGuard {
  const [target, setTarget] = useState<string>();
  const isLeaving = useRef(false);
  useEffect(() => {
    const onChange = (event: HashChangeEvent): void => {
      const requested = pathOf(event.newURL);
      if (isLeaving.current || requested === pathOf(event.oldURL) || !isHeld(requested)) return;
      // Before the router receives the event: the address is restored, as if nothing had happened.
      event.stopImmediatePropagation();
      // The router's own events come after a push to the history, those of the browser after a move in it.
      if (event.isTrusted) history.pushState(null, '', event.oldURL);
      else history.replaceState(null, '', event.oldURL);
      setTarget(requested);
    };
    window.addEventListener('hashchange', onChange, { capture: true });
    return () => window.removeEventListener('hashchange', onChange, { capture: true });
  }, [isHeld]);
  const leave = useCallback(() => {
    if (target === undefined) return;
    isLeaving.current = true;
    navigate(target);
  }, [target]);
  const stay = useCallback(() => setTarget(undefined), []);
  return { target, leave, stay };
}
