import type { EditorView } from '../view-choice.ts';
import { useRoomy } from './use-roomy.ts';

/** Where the inspector stands: in the row with the other views, or above them where they would be too narrow beside it. */
export function useDock(view: EditorView): 'inspector' | 'drawer' {
  const isRoomy = useRoomy(view === 'split' ? 'two' : 'one');
  return view === 'code' || isRoomy ? 'inspector' : 'drawer';
}
