import { create } from 'zustand';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useId } from 'react';

/** The open global window. */
type OpenWindow = 'palette' | 'keys' | 'menu' | undefined;

export const useOpenWindow = create<{ readonly open: OpenWindow }>(() => ({ open: undefined }));

/** Opens the command palette, the list of shortcuts or the navigation of a narrow window, or closes them. */
export const showWindow = (open: OpenWindow): void => useOpenWindow.setState({ open });

/** An action of the current page, offered in the command palette. */
export interface PageAction {
  /** Unique on its page. */
  readonly id: string;
  /** Title, beginning with a verb: `Retry the failed steps`. */
  readonly title: string;
  readonly icon?: LucideIcon;
  /** Why it is unavailable. */
  readonly unavailable?: string | undefined;
  readonly run: () => void;
}

/** Actions of each mounted part of the page, in mount order. */
export const usePageActions = create<{ readonly offers: ReadonlyMap<string, readonly PageAction[]> }>(() => ({
  offers: new Map(),
}));

/** Adds actions to the command palette while the caller is mounted. */
export function useRegisterActions(actions: readonly PageAction[]): void {
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
