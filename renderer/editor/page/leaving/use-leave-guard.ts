import { useCallback, useEffect, useRef, useState } from 'react';
import { navigate } from '../../../app/address.ts';

/** Holds a change of the page until it is decided on. */
export interface LeaveGuard {
  /** Where somebody wants to go; undefined when nobody does. */
  readonly target: string | undefined;
  /** Goes there. */
  readonly leave: () => void;
  readonly stay: () => void;
}

const placeOf = (url: string): string => new URL(url).hash.replace(/^#/, '') || '/';

/**
 * Asks before this page gives way to another one of the application, be it by a link, by the address or by going back.
 * @param isHeld asked at that moment with where somebody wants to go, whether there is something to ask about
 */
export function useLeaveGuard(isHeld: (wanted: string) => boolean): LeaveGuard {
  const [target, setTarget] = useState<string>();
  const isLeaving = useRef(false);
  useEffect(() => {
    const onChange = (event: HashChangeEvent): void => {
      const wanted = placeOf(event.newURL);
      if (isLeaving.current || wanted === placeOf(event.oldURL) || !isHeld(wanted)) return;
      // Before the router hears of it: the address is put back, and nothing has happened.
      event.stopImmediatePropagation();
      // The router's own events come after a place has been added to the history, those of the browser after a move in it.
      if (event.isTrusted) history.pushState(null, '', event.oldURL);
      else history.replaceState(null, '', event.oldURL);
      setTarget(wanted);
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
