import { useSyncExternalStore } from 'react';

/** As in the style sheets, where the rail shrinks to its marks. */
const narrow = '(max-width: 860px)';

/** Whether the window has no room for two things side by side, as one of 1280 pixels has not at 200 %. */
export const useNarrow = (): boolean => useSyncExternalStore(listen, () => matchMedia(narrow).matches);

function listen(listener: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
