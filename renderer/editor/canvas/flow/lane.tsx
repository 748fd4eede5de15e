import { Plus } from 'lucide-react';
import { memo } from 'react';
import type { Node, NodeProps } from 'reactflow';
import type { HandlerName } from '../../../../core/model/workflow/handler-name.ts';
import { useCanvasStore } from '../state/canvas-store.ts';
import styles from '../canvas.module.css';

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
          aria-label={`Add ${name} handler. It runs ${turns[name]}`}
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
