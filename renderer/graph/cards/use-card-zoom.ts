import { useStore, type ReactFlowState } from 'reactflow';

/** How much of a card can be read. */
type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card shows its name, its status and its time only, in larger letters. */
const simpleZoom = 0.75;
/** Below this one it is a plain coloured box: its text could not be read anyway. */
const farZoom = 0.4;
const zoomOf = ({ transform: [, , zoom] }: ReactFlowState): CardZoom =>
  zoom < farZoom ? 'far' : zoom < simpleZoom ? 'simple' : 'near';

export const useCardZoom = (): CardZoom => useStore(zoomOf);
