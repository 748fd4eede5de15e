import { useSyncExternalStore } from 'react';
import type { EditorView } from '../view-choice.ts';

/** Canvas, code and form side by side need this much; it is the width of the window. */
const roomy = '(min-width: 1500px)';

/** Where the inspector stands: in the row with the other views, or above the code where three would be too narrow. */
export function useDock(view: EditorView): 'inspector' | 'drawer' {
  const isRoomy = useSyncExternalStore(listen, () => matchMedia(roomy).matches);
  return view === 'split' && !isRoomy ? 'drawer' : 'inspector';
}

function listen(listener: () => void): () => void {
  const query = matchMedia(roomy);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
