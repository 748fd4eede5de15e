import { useEffect, type RefObject } from 'react';
import { useStore, type ReactFlowState } from 'reactflow';

/** Growth changes in steps of this factor, since each change recalculates the style of the whole canvas. */
const step = 1.4;

const growthOf = ({ transform: [, , zoom] }: ReactFlowState): number =>
  zoom >= 1 ? 1 : step ** Math.ceil(Math.log(1 / zoom) / Math.log(step));

/** Keeps lines and their buttons at a constant screen size by setting the CSS variable `--grow`. */
export function ZoomScaledCard({ box }: { readonly box: RefObject<HTMLElement | null> }): null {
  const growth = useStore(growthOf);
  useEffect(() => box.current?.style.setProperty('--grow', growth.toFixed(2)), [box, growth]);
  return null;
}
