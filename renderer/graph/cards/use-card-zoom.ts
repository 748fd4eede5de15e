import { useStore, type ReactFlowState } from 'reactflow';

/** Level of detail of a card. */
type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card shows only name, status and time, in larger letters. */
const simpleZoom = 0.75;
/** Below this zoom it is a plain colored box, because its text would be illegible. */
const overviewZoom = 0.4;
const zoomOf = ({ transform: [, , zoom] }: ReactFlowState): CardZoom =>
  zoom < overviewZoom ? 'far' : zoom < simpleZoom ? 'simple' : 'near';

export const useCardZoom = (): CardZoom => useStore(zoomOf);
