import { useStore, type ReactFlowState } from 'reactflow';
import { farZoom } from '../../far/use-far-cards.ts';

/** How much of a card can be read. */
export type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card shows its name only; from afar nothing but a box. */
const simpleZoom = 0.6;
const zoomOf = ({ transform }: ReactFlowState): CardZoom =>
  transform[2] < farZoom ? 'far' : transform[2] < simpleZoom ? 'simple' : 'near';

export const useCardZoom = (): CardZoom => useStore(zoomOf);
