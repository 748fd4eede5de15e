import { useStore, type ReactFlowState } from 'reactflow';
import { overviewZoom } from '../../overview/use-overview-cards.ts';

/** Level of detail of a card. */
export type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card shows only its name; below {@link overviewZoom} it is a plain box. */
const simpleZoom = 0.6;
const zoomOf = ({ transform }: ReactFlowState): CardZoom =>
  transform[2] < overviewZoom ? 'far' : transform[2] < simpleZoom ? 'simple' : 'near';

export const useCardZoom = (): CardZoom => useStore(zoomOf);
