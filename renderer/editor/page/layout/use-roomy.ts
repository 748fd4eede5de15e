import { useSyncExternalStore } from 'react';

/** One view with outline, palette and form needs this much, canvas and code side by side more; widths of the window. */
const roomy = { one: '(min-width: 1500px)', two: '(min-width: 2200px)' } as const;

/** Whether the window has room for all panels beside the views; in a narrower one the graph is what is to be seen. */
export const useRoomy = (views: keyof typeof roomy = 'one'): boolean =>
  useSyncExternalStore(listen[views], () => matchMedia(roomy[views]).matches);

const listenTo =
  (condition: string) =>
  (listener: () => void): (() => void) => {
    const query = matchMedia(condition);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };

const listen = { one: listenTo(roomy.one), two: listenTo(roomy.two) };
