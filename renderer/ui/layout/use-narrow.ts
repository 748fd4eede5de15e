import { useSyncExternalStore } from 'react';

/** Same as in the style sheets, where the navigation shrinks to icons. */
const narrow = '(max-width: 860px)';

/** Whether the window is too narrow for two columns, such as one of 1280 pixels at 200 % zoom. */
export const useIsNarrow = (): boolean => useSyncExternalStore(listen, () => matchMedia(narrow).matches);

function listen(listener: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
