import type { EditorView } from '../view-choice.ts';
import { useHasRoomForPanels } from './use-roomy.ts';

/** Returns where the inspector is: next to the other views, or above them if they would become too narrow. */
export function useDock(view: EditorView): 'inspector' | 'drawer' {
  const isRoomy = useHasRoomForPanels(view === 'split' ? 'two' : 'one');
  return view === 'code' || isRoomy ? 'inspector' : 'drawer';
}
