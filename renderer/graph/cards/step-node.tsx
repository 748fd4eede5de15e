import { Handle, type Position, type Node, type NodeProps } from 'reactflow';
import { Hand } from 'lucide-react';
import { memo } from 'react';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import type { GraphNode } from '../build-graph.ts';
import { CardBody } from './card-body.tsx';
import { CardTime } from './card-time.tsx';
import styles from '../graph.module.css';
import { useNodeState } from '../graph-store.ts';
import { colourOf, describeNode, type StepAppearance } from '../step-appearance.ts';
import { useCardZoom } from './use-card-zoom.ts';

/** Data of a card in React Flow. */
export interface StepNodeData extends Record<string, unknown> {
  readonly node: GraphNode;
  readonly total: number;
  /** Sides of incoming and outgoing lines. */
  readonly sides: { readonly source: Position; readonly target: Position };
  /** Moves the focus by an arrow key. Returns whether there was a card to move to. */
  readonly onArrow: (id: string, key: string) => boolean;
  readonly onSelect: (id: string) => void;
}

/** The card of a step. */
export const StepNode = memo(function StepNode({ id, data }: NodeProps<Node<StepNodeData>>) {
  const { node, total, sides, onArrow, onSelect } = data;
  const appearance = useNodeState(({ appearances }) => appearances.get(id), id);
  const selected = useNodeState((store) => store.selected === id, id);
  const zoom = useCardZoom();
  const far = zoom === 'far';
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (onArrow(id, event.key)) event.preventDefault();
  };
  return (
    <>
      <Handle type="target" position={sides.target} isConnectable={false} className={styles.handle} />
      <div
        className={styles.card}
        data-status={appearance?.status ?? 'none'}
        data-asks={appearance?.asks || undefined}
        data-selected={selected || undefined}
        data-zoom={zoom}
        style={{ '--mark': colourOf(appearance) } as React.CSSProperties}
      >
        {far ? (
          appearance && <StatusDot appearance={appearance} />
        ) : (
          <CardBody
            node={node}
            appearance={appearance}
            end={appearance && <CardTime appearance={appearance} />}
          />
        )}
        {/* The whole card is the button; its accessible name is a sentence, so the texts above are hidden from
            it. */}
        <button
          type="button"
          className={styles.press}
          data-node-id={id}
          aria-label={describeNode(node, appearance, total)}
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

/** The status of a step, for small zoom levels. */
const StatusDot = ({ appearance }: { readonly appearance: StepAppearance }) =>
  appearance.asks ? (
    <Hand className={styles.hand} size={40} aria-hidden="true" />
  ) : (
    <StatusShape status={appearance.status} size={40} />
  );
