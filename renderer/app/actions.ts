import type { LucideIcon } from 'lucide-react';
import { useEffect, useId } from 'react';
import { create } from 'zustand';

/** Something the page on the screen can do; the command palette offers it. */
export interface PageAction {
  /** Unique on its page. */
  readonly id: string;
  /** What it does, beginning with a verb: `Retry the failed steps`. */
  readonly title: string;
  readonly icon?: LucideIcon;
  /** Why it cannot be done now. */
  readonly unavailable?: string | undefined;
  readonly run: () => void;
}

/** What each mounted part of the page has to offer, in the order in which they came. */
export const usePageActions = create<{ readonly offers: ReadonlyMap<string, readonly PageAction[]> }>(() => ({
  offers: new Map(),
}));

/** Offers actions in the command palette while the caller is on the screen. */
export function useOfferActions(actions: readonly PageAction[]): void {
  const owner = useId();
  useEffect(() => {
    usePageActions.setState(({ offers }) => ({ offers: new Map([...offers, [owner, actions]]) }));
  });
  useEffect(
    () => () =>
      usePageActions.setState(({ offers }) => ({
        offers: new Map([...offers].filter(([other]) => other !== owner)),
      })),
    [owner],
  );
}
