import { useSyncExternalStore } from 'react';

/** Canvas, code and form side by side, with outline and palette, need this much; it is the width of the window. */
const roomy = '(min-width: 1500px)';

/** Whether the window has room for all panels; in a narrower one the graph is what is to be seen. */
export const useRoomy = (): boolean => useSyncExternalStore(listen, () => matchMedia(roomy).matches);

function listen(listener: () => void): () => void {
  const query = matchMedia(roomy);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
