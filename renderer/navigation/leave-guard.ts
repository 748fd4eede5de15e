import { useCallback, useEffect, useRef, useState } from 'react';
import { guardNavigation, navigate } from './address.ts';

/** Holds a navigation until the user has decided. */
export interface LeaveGuard {
  /** The requested address; undefined if no navigation is pending. */
  readonly target: string | undefined;
  /** Continues the navigation. */
  readonly leave: () => void;
  readonly stay: () => void;
}

/**
 * Asks before the user leaves this page of the application by a link, the address bar or the history.
 * @param isHeld called with the requested address; returns whether to ask
 */
export function useLeaveGuard(isHeld: (target: string) => boolean): LeaveGuard {
  const [target, setTarget] = useState<string>();
  const isLeaving = useRef(false);
  useEffect(
    () =>
      guardNavigation((requested) => {
        const holds = !isLeaving.current && isHeld(requested);
        if (holds) setTarget(requested);
        return holds;
      }),
    [isHeld],
  );
  const leave = useCallback(() => {
    if (target === undefined) return;
    isLeaving.current = true;
    navigate(target);
  }, [target]);
  const stay = useCallback(() => setTarget(undefined), []);
  return { target, leave, stay };
}
