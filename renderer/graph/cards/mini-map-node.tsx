import type { MiniMapNodeProps } from 'reactflow';
import { statusToken } from '../../format/status.ts';
import { useNodeState } from '../graph-store.ts';

/** A card in the overview: a box in the colour of its status. */
export function MiniMapNode({ id, x, y, width, height }: MiniMapNodeProps) {
  const status = useNodeState(({ looks }) => looks.get(id)?.status, id);
  if (id === 'lane') return null;
  return (
    <rect
      x={x}
      y={y}
      width={width}
      height={height}
      rx={8}
      fill={`var(--status-${statusToken(status ?? 'not_started')})`}
    />
  );
}
