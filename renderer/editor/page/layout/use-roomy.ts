import { useSyncExternalStore } from 'react';

/** Minimum window widths: for one view with outline, palette and form, and for canvas and code side by side. */
const roomy = { one: '(min-width: 1500px)', two: '(min-width: 2200px)' } as const;

/**
 * Whether the window has room for all panels next to the views; in a narrower one the graph takes precedence.
 */
export const useHasRoomForPanels = (views: keyof typeof roomy = 'one'): boolean =>
  useSyncExternalStore(listen[views], () => matchMedia(roomy[views]).matches);

const listenTo =
  (condition: string) =>
  (listener: () => void): (() => void) => {
    const query = matchMedia(condition);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };

const listen = { one: listenTo(roomy.one), two: listenTo(roomy.two) };
