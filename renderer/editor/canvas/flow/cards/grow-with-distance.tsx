import { useEffect, type RefObject } from 'react';
import { useStore, type ReactFlowState } from 'reactflow';

/** Steps of the growth; each is a look at the style of all that is drawn. */
const step = 1.4;

const growthOf = ({ transform: [, , zoom] }: ReactFlowState): number =>
  zoom >= 1 ? 1 : step ** Math.ceil(Math.log(1 / zoom) / Math.log(step));

/** Has lines and the buttons on them as large on the screen from afar as near by: the style sheet asks for `--grow`. */
export function GrowWithDistance({ box }: { readonly box: RefObject<HTMLElement | null> }): null {
  const growth = useStore(growthOf);
  useEffect(() => box.current?.style.setProperty('--grow', growth.toFixed(2)), [box, growth]);
  return null;
}
