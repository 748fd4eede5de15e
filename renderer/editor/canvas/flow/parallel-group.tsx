import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { Handle, type Node, type NodeProps } from 'reactflow';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import graphStyles from '../../../graph/graph.module.css';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import styles from '../canvas.module.css';
import { handleSidesFor } from '../../../graph/sides.ts';

/** Data of a group in React Flow. */
export interface GroupData extends Record<string, unknown> {
  readonly key: string;
  readonly names: readonly string[];
  readonly direction: Direction;
  readonly isFolded: boolean;
}

/** The box behind parallel steps, or the card of the group when it is folded. */
export const ParallelGroupBox = memo(function ParallelGroupBox({ data }: NodeProps<Node<GroupData>>) {
  const { key, names, direction, isFolded } = data;
  const { folding } = useCanvasActions();
  const sides = handleSidesFor(direction);
  const Icon = isFolded ? ChevronRight : ChevronDown;
  return (
    <div className={styles.group} data-folded={isFolded || undefined}>
      {isFolded && (
        <Handle type="target" position={sides.target} isConnectable={false} className={graphStyles.handle} />
      )}
      <button
        type="button"
        className={`${styles.fold} nodrag nopan`}
        aria-expanded={!isFolded}
        aria-label={`${names.length} parallel steps: ${names.join(', ')}`}
        title={names.join('\n')}
        onClick={() => folding.foldGroup(key, !isFolded)}
      >
        <Icon size={14} aria-hidden="true" />
        {isFolded ? `${names.length} parallel steps` : 'Parallel'}
      </button>
      {isFolded && (
        <Handle type="source" position={sides.source} isConnectable={false} className={graphStyles.handle} />
      )}
    </div>
  );
});
