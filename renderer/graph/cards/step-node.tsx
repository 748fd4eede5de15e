import { Handle, useStore, type Position, type Node, type NodeProps, type ReactFlowState } from 'reactflow';
import { memo } from 'react';
import { statusToken } from '../../format/status.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import type { GraphNode } from '../build-graph.ts';
import { CardBody } from './card-body.tsx';
import { CardTime } from './card-time.tsx';
import styles from '../graph.module.css';
import { useNodeState } from '../graph-store.ts';
import { describeNode } from '../step-look.ts';

/** What React Flow carries for a card. */
export interface StepNodeData extends Record<string, unknown> {
  readonly node: GraphNode;
  readonly total: number;
  /** Where lines come in and go out. */
  readonly sides: { readonly source: Position; readonly target: Position };
  /** Moves the focus from this card by an arrow key. Answers whether there was somewhere to go. */
  readonly onArrow: (id: string, key: string) => boolean;
  readonly onSelect: (id: string) => void;
}

/** How much of a card can be read. */
type CardZoom = 'near' | 'simple' | 'far';

/** Below this zoom a card shows its name, its status and its time only, in larger letters. */
const simpleZoom = 0.75;
/** Below this one it is a plain coloured box: its text could not be read anyway. */
const farZoom = 0.4;
const zoomOf = ({ transform: [, , zoom] }: ReactFlowState): CardZoom =>
  zoom < farZoom ? 'far' : zoom < simpleZoom ? 'simple' : 'near';

/** The card of a step. */
export const StepNode = memo(function StepNode({ id, data }: NodeProps<Node<StepNodeData>>) {
  const { node, total, sides, onArrow, onSelect } = data;
  const look = useNodeState(({ looks }) => looks.get(id), id);
  const selected = useNodeState((store) => store.selected === id, id);
  const zoom = useStore(zoomOf);
  const far = zoom === 'far';
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (onArrow(id, event.key)) event.preventDefault();
  };
  return (
    <>
      <Handle type="target" position={sides.target} isConnectable={false} className={styles.handle} />
      <div
        className={styles.card}
        data-status={look?.status ?? 'none'}
        data-selected={selected || undefined}
        data-zoom={zoom}
        style={
          { '--mark': `var(--status-${statusToken(look?.status ?? 'not_started')})` } as React.CSSProperties
        }
      >
        {far ? (
          look && <StatusShape status={look.status} size={40} />
        ) : (
          <CardBody node={node} look={look} end={look && <CardTime look={look} />} />
        )}
        {/* The whole card is the button; its name is a sentence, so the words above are not part of it. */}
        <button
          type="button"
          className={styles.press}
          data-node-id={id}
          aria-label={describeNode(node, look, total)}
          aria-pressed={selected}
          title={far ? node.name : [node.detail, ...node.traits].join('\n')}
          onClick={() => onSelect(id)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Handle type="source" position={sides.source} isConnectable={false} className={styles.handle} />
    </>
  );
});
