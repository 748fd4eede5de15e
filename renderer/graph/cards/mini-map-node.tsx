import type { MiniMapNodeProps } from 'reactflow';
import { useNodeState } from '../graph-store.ts';
import { colourOf } from '../step-appearance.ts';

/** A card in the minimap: a box in the color of its status. */
export function MiniMapNode({ id, x, y, width, height }: MiniMapNodeProps) {
  const colour = useNodeState(({ appearances }) => colourOf(appearances.get(id)), id);
  if (id === 'lane') return null;
  return <rect x={x} y={y} width={width} height={height} rx={8} fill={colour} />;
}
