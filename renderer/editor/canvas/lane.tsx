import { Plus, ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { type Node, type NodeProps, Handle } from 'reactflow';
import type { HandlerName } from '../../../core/model/workflow-rules.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import graphStyles from '../../graph/graph.module.css';
import { handleSidesFor } from '../../graph/build-graph.ts';
import { useCanvasStore } from './canvas-store.ts';
import styles from './canvas.module.css';
import { useCanvasActions } from './canvas-actions.ts';

/** When each handler runs. */
const turns: Readonly<Record<HandlerName, string>> = {
  init: 'before the first step',
  success: 'when the run succeeds',
  failure: 'when the run fails',
  abort: 'when the run is aborted',
  exit: 'at the end of every run',
};

/** The lane behind the handlers, with a button for each missing handler. */
export const Lane = memo(function Lane({ data }: NodeProps<Node<{ missing: readonly HandlerName[] }>>) {
  const store = useCanvasStore();
  return (
    <div className={styles.lane} role="group" aria-label="Handlers">
      <span className={styles.laneTitle}>Handlers</span>
      {data.missing.map((name) => (
        <button
          key={name}
          type="button"
          tabIndex={-1}
          className={`${styles.addHandler} nodrag nopan`}
          aria-label={`Add ${name} handler, runs ${turns[name]}`}
          title={`Runs ${turns[name]}`}
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            store.setState({
              overlay: { kind: 'picker', target: { at: { x: box.left, y: box.bottom }, handler: name } },
            });
          }}
        >
          <Plus size={12} aria-hidden="true" />
          {name}
        </button>
      ))}
    </div>
  );
});

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
